#include "tally.h"

#include <algorithm>
#include <vector>

#include "base/text.h"

namespace kb::provenance {

using base::Result;
using record::Provenance;

void Tally::Add(record::Origin origin, const std::string& object,
                const std::string& name, double amount) {
  constexpr size_t kNameBytes = 120;  // of a mangled name: may be very long
  amounts_[{origin, object.substr(object.rfind('/') + 1),
            base::Shorten(name, kNameBytes)}] += amount;
  ++samples_;
  total_ += amount;
}

Result<Provenance> Tally::Sum(const std::string& method) const {
  if (!(total_ > 0)) return base::Fail("nothing was seen to run");
  Provenance sum;
  sum.method = method;
  sum.samples = samples_;
  for (const auto& [key, amount] : amounts_) {
    const auto& [origin, object, name] = key;
    const double share = amount / total_;
    sum.shares.at(static_cast<size_t>(origin)) += share;
    sum.parts.push_back({origin, object, name, share});
  }
  std::ranges::stable_sort(sum.parts, std::ranges::greater{},
                           &Provenance::Part::share);
  if (sum.parts.size() > record::kMostParts)
    sum.parts.resize(record::kMostParts);
  return sum;
}

}  // namespace kb::provenance
