#include "tally.h"

#include "parts.h"

namespace kb::provenance {

using base::Result;
using record::Provenance;

void Tally::Add(record::Origin origin, const std::string& object,
                const std::string& name, double amount) {
  amounts_[{origin, FileName(object), ShortName(name)}] += amount;
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
  KeepLargest(&sum.parts);
  return sum;
}

}  // namespace kb::provenance
