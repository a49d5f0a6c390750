#include "record/timing.h"

#include <type_traits>
#include <utility>

#include "base/words.h"
#include "record/timing_fields.h"

namespace kb::record {
namespace {

using base::Json;
using base::Result;

constexpr base::Words<Launches, 4> kLaunches{
    {{Launches::kHidden, "hidden"},
     {Launches::kCaptured, "captured"},
     {Launches::kPartlyHidden, "partly_hidden"},
     {Launches::kShown, "shown"}}};

template <typename T>
Json FieldToJson(const T& x) {
  return x;
}
Json FieldToJson(Launches launches) { return LaunchesName(launches); }

template <typename T>
Json FieldsToJson(const T& value) {
  Json json = Json::object();
  VisitFields(value, [&](const char* name, const auto& x) {
    json[name] = FieldToJson(x);
  });
  return json;
}

template <typename T>
Result<void> FieldFromJson(const Json& json, const char* name, T* x) {
  KB_ASSIGN(*x, base::Get<T>(json, name));
  return base::Ok();
}
Result<void> FieldFromJson(const Json& json, const char* name, Launches* x) {
  KB_ASSIGN(const std::string word, base::Get<std::string>(json, name));
  const auto launches = kLaunches.Parse(word);
  if (!launches)
    return base::Fail("{}: {} is none of {}", name, word, kLaunches.List());
  *x = *launches;
  return base::Ok();
}

template <typename T>
Result<T> FieldsFromJson(const Json& json, const char* what) {
  T value;
  Result<void> read = base::Ok();
  VisitFields(value, [&](const char* name, auto& x) {
    if (!read) return;
    const auto field = FieldFromJson(json, name, &x);
    if (!field) read = base::Propagate(field.error().Wrap(what));
  });
  if (!read) return base::Propagate(read.error());
  return value;
}

}  // namespace

const char* LaunchesName(Launches launches) { return kLaunches.Of(launches); }
bool AreHidden(Launches launches) {
  return launches == Launches::kHidden || launches == Launches::kCaptured;
}

Json ToJson(const Trial& trial) { return FieldsToJson(trial); }
Result<Trial> TrialFromJson(const Json& json) {
  if (!json.is_object()) return base::Fail("trial: no object");
  // What stores of before 2026-11-27 do not have.
  Json whole{{"reference_once_us", 0.0}, {"candidate_once_us", 0.0}};
  whole.update(json);
  return FieldsFromJson<Trial>(whole, "trial");
}

Json ToJson(const Ceilings& ceilings) { return FieldsToJson(ceilings); }
Result<Ceilings> CeilingsFromJson(const Json& json) {
  return FieldsFromJson<Ceilings>(json, "ceilings");
}

Json ToJson(const Ruler& ruler) { return FieldsToJson(ruler); }
// Kept in stores, so that a field which a newer version added may be missing.
Result<Ruler> RulerFromJson(const Json& json) {
  if (!json.is_object()) return base::Fail("ruler: no object");
  Ruler older;
  if (json.contains("gated") && json.at("gated") == false)
    older.reference_launches = older.candidate_launches = Launches::kShown;
  Json whole = FieldsToJson(older);
  whole.update(json);
  return FieldsFromJson<Ruler>(whole, "ruler");
}

Json ToJson(const Turn& turn) {
  Json json{{"process", turn.process},
            {"compiled", turn.compiled},
            {"baseline", turn.baseline},
            {"untimed", turn.untimed}};
  if (turn.plan) json["plan"] = ToJson(*turn.plan);
  return json;
}
Result<Turn> TurnFromJson(const Json& json) {
  Turn turn;
  KB_ASSIGN(turn.process, base::Get<int64_t>(json, "process"));
  KB_ASSIGN(turn.compiled, base::Get<bool>(json, "compiled"));
  KB_ASSIGN(turn.baseline, base::Get<bool>(json, "baseline"));
  KB_ASSIGN(turn.untimed, base::Get<bool>(json, "untimed"));
  if (!json.contains("plan")) return turn;
  KB_ASSIGN(turn.plan, RulerFromJson(json.at("plan")));
  return turn;
}

Json ToJson(const Spent& spent) { return FieldsToJson(spent); }
Result<Spent> SpentFromJson(const Json& json) {
  return FieldsFromJson<Spent>(json, "spent");
}

Json ToJson(const TimeSummary& summary) { return FieldsToJson(summary); }
Result<TimeSummary> TimeSummaryFromJson(const Json& json) {
  return FieldsFromJson<TimeSummary>(json, "times");
}

Json ToJson(const Interval& interval) {
  return {{"estimate", interval.estimate},
          {"low", interval.low},
          {"high", interval.high}};
}
Result<Interval> IntervalFromJson(const Json& json) {
  Interval interval;
  KB_ASSIGN(interval.estimate, base::Get<double>(json, "estimate"));
  KB_ASSIGN(interval.low, base::Get<double>(json, "low"));
  KB_ASSIGN(interval.high, base::Get<double>(json, "high"));
  return interval;
}

}  // namespace kb::record
