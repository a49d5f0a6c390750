#include "record/provenance.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/text.h"
#include "base/words.h"

namespace kb::record {
namespace {

using base::Json;
using base::Result;

constexpr base::Words<Origin, kOrigins> kNames{{
    {Origin::kOwn, "own"},
    {Origin::kTriton, "triton"},
    {Origin::kGenerated, "generated"},
    {Origin::kLibrary, "library"},
    {Origin::kFramework, "framework"},
    {Origin::kCopies, "copies"},
    {Origin::kHost, "host"},
    {Origin::kUnknown, "unknown"},
}};

Result<double> ShareFromJson(const Json& json, const char* key) {
  KB_ASSIGN(const double share, base::Get<double>(json, key));
  if (share >= 0 && share <= 1 + 1e-6) return share;
  return base::Fail("{}: {} is no share", key, share);
}

Result<std::string> TextFromJson(const Json& json, const char* key) {
  constexpr size_t kMostBytes = 200;
  KB_ASSIGN(const auto text, base::Get<std::string>(json, key));
  return base::Shorten(base::Printable(text), kMostBytes);
}

Result<Provenance::Part> PartFromJson(const Json& json) {
  Provenance::Part part;
  KB_ASSIGN(const auto origin, base::Get<std::string>(json, "origin"));
  const auto known = ParseOrigin(origin);
  if (!known)
    return base::Fail("origin \"{}\" is none of {}", base::Shorten(origin, 60),
                      kNames.List());
  part.origin = *known;
  KB_ASSIGN(part.object, TextFromJson(json, "object"));
  KB_ASSIGN(part.name, TextFromJson(json, "name"));
  KB_ASSIGN(part.share, ShareFromJson(json, "share"));
  return part;
}

}  // namespace

const char* OriginName(Origin origin) { return kNames.Of(origin); }

std::optional<Origin> ParseOrigin(const std::string& name) {
  return kNames.Parse(name);
}

double Provenance::own_share() const {
  const double own = share(Origin::kOwn) + share(Origin::kTriton);
  const double all = 1 - share(Origin::kHost);
  return own > 0 ? std::min(1.0, own / all) : 0;
}

Json ToJson(const Provenance& provenance) {
  Json shares = Json::object(), parts = Json::array();
  for (const auto& [origin, name] : kNames.rows)
    shares[name] = provenance.share(origin);
  for (const Provenance::Part& part : provenance.parts)
    parts.push_back({{"origin", OriginName(part.origin)},
                     {"object", part.object},
                     {"name", part.name},
                     {"share", part.share}});
  return {{"method", provenance.method},
          {"samples", provenance.samples},
          {"own_share", provenance.own_share()},
          {"shares", std::move(shares)},
          {"parts", std::move(parts)}};
}

Result<Provenance> ProvenanceFromJson(const Json& json) {
  Provenance provenance;
  KB_ASSIGN(provenance.method, base::Get<std::string>(json, "method"));
  if (provenance.method != "cupti" && provenance.method != "samples")
    return base::Fail("method \"{}\" is neither cupti nor samples",
                      base::Shorten(provenance.method, 60));
  KB_ASSIGN(provenance.samples, base::Get<int64_t>(json, "samples"));
  if (provenance.samples < 1) return base::Fail("there are no samples");
  KB_ASSIGN(const Json shares, base::Get<Json>(json, "shares"));
  for (const auto& [origin, name] : kNames.rows) {
    KB_ASSIGN(provenance.shares.at(static_cast<size_t>(origin)),
              ShareFromJson(shares, name));
  }
  const double sum =
      std::accumulate(provenance.shares.begin(), provenance.shares.end(), 0.0);
  if (!(std::abs(sum - 1) < 1e-6))
    return base::Fail("the sum of the shares is {}, not 1", sum);
  KB_ASSIGN(const Json parts, base::Get<Json>(json, "parts"));
  if (!parts.is_array() || parts.size() > kMostParts)
    return base::Fail("parts: a list of at most {} was expected", kMostParts);
  for (const Json& item : parts) {
    KB_ASSIGN(Provenance::Part part, PartFromJson(item));
    provenance.parts.push_back(std::move(part));
  }
  return provenance;
}

std::string DescribeShares(const Provenance& provenance) {
  std::vector<std::pair<double, const char*>> sorted;
  for (const auto& [origin, name] : kNames.rows)
    sorted.emplace_back(provenance.share(origin), name);
  std::ranges::stable_sort(sorted, std::ranges::greater{},
                           [](const auto& each) { return each.first; });
  std::string text;
  for (const auto& [share, name] : sorted) {
    if (share < 0.0005) continue;
    text += fmt::format("{}{} {:.3g} %", text.empty() ? "" : ", ", name,
                        100 * share);
  }
  return text;
}

}  // namespace kb::record
