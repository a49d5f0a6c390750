#include "record/at_size.h"

#include <utility>

#include "lists.h"
#include "times_json.h"

namespace kb::record {

using base::Json;
using base::Result;

Json ToJson(const AtSize& at) {
  Json json{
      {"size", SizeName(at.size)},
      {"problem_hash", at.problem_hash},
      {"verdict", at.verdict ? Json(VerdictName(*at.verdict)) : Json(nullptr)},
      {"reason", at.reason}};
  AddTimes(at, &json);
  json["trials"] = ListToJson(at.trials);
  return json;
}

Result<AtSize> AtSizeFromJson(const Json& json) {
  AtSize at;
  KB_ASSIGN(const std::string name, base::Get<std::string>(json, "size"));
  const auto size = ParseSize(name);
  if (!size) return base::Fail("\"{}\" is not the name of a size", name);
  at.size = *size;
  KB_ASSIGN(at.problem_hash, base::Get<std::string>(json, "problem_hash"));
  KB_ASSIGN(const Json verdict, base::Get<Json>(json, "verdict"));
  if (!verdict.is_null()) {
    KB_ASSIGN(const std::string word, base::Get<std::string>(json, "verdict"));
    at.verdict = ParseVerdict(word);
    if (!at.verdict) return base::Fail("unknown verdict \"{}\"", word);
  }
  KB_ASSIGN(at.reason, base::Get<std::string>(json, "reason"));
  KB_ASSIGN(const Json tolerance, base::Get<Json>(json, "tolerance"));
  KB_ASSIGN(at.tolerance.atol, base::Get<double>(tolerance, "atol"));
  KB_ASSIGN(at.tolerance.rtol, base::Get<double>(tolerance, "rtol"));
  KB_TRY(TakeOptional(json, "speedup", IntervalFromJson, &at.speedup));
  KB_TRY(TakeOptional(json, "candidate_time_us", TimeSummaryFromJson,
                      &at.candidate_time));
  KB_TRY(TakeOptional(json, "reference_time_us", TimeSummaryFromJson,
                      &at.reference_time));
  KB_TRY(
      TakeOptional(json, "wall_speedup", IntervalFromJson, &at.wall_speedup));
  KB_TRY(TakeOptional(json, "candidate_wall_us", TimeSummaryFromJson,
                      &at.candidate_wall));
  KB_TRY(TakeOptional(json, "reference_wall_us", TimeSummaryFromJson,
                      &at.reference_wall));
  KB_TRY(TakeOptional(json, "ruler", RulerFromJson, &at.ruler));
  KB_ASSIGN(at.trials, ListFromJson<Trial>(json, "trials", TrialFromJson));
  return at;
}

Json ToJson(const std::vector<AtSize>& sizes) { return ListToJson(sizes); }

Result<std::vector<AtSize>> AtSizesFromJson(const Json& json) {
  if (!json.is_array() || json.empty())
    return base::Fail("{}", "not a list of sizes");
  std::vector<AtSize> sizes;
  for (const Json& each : json) {
    KB_ASSIGN(AtSize at, AtSizeFromJson(each));
    sizes.push_back(std::move(at));
  }
  return sizes;
}

}  // namespace kb::record
