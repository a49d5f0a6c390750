#include "record/timing.h"

#include <type_traits>
#include <utility>

namespace kb::record {
namespace {

using base::Json;
using base::Result;

template <typename T, typename F>
void VisitFields(T& trial, F&& field)
  requires std::is_same_v<std::remove_const_t<T>, Trial>
{
  field("seed", trial.seed);
  field("timed", trial.timed);
  field("counts", trial.counts);
  field("process", trial.process);
  field("reference_us", trial.reference_us);
  field("candidate_us", trial.candidate_us);
  field("reference_one_us", trial.reference_one_us);
  field("reference_chain_us", trial.reference_chain_us);
  field("candidate_one_us", trial.candidate_one_us);
  field("candidate_chain_us", trial.candidate_chain_us);
  field("reference_wall_us", trial.reference_wall_us);
  field("candidate_wall_us", trial.candidate_wall_us);
  field("constant_us", trial.constant_us);
  field("clock_mhz", trial.clock_mhz);
  field("temperature_c", trial.temperature_c);
}

template <typename T, typename F>
void VisitFields(T& ruler, F&& field)
  requires std::is_same_v<std::remove_const_t<T>, Ruler>
{
  field("version", ruler.version);
  field("calls", ruler.calls);
  field("gated", ruler.gated);
  field("control_gated", ruler.control_gated);
  field("copied", ruler.copied);
  field("warm", ruler.warm);
  field("constant_us", ruler.constant_us);
  field("alone_us", ruler.alone_us);
  field("alone_share", ruler.alone_share);
  field("control_us", ruler.control_us);
  field("copy_us", ruler.copy_us);
  field("floor_us", ruler.floor_us);
  field("first_us", ruler.first_us);
  field("tf32", ruler.tf32);
  field("processes", ruler.processes);
  field("disturbed", ruler.disturbed);
}

template <typename T, typename F>
void VisitFields(T& summary, F&& field)
  requires std::is_same_v<std::remove_const_t<T>, TimeSummary>
{
  field("count", summary.count);
  field("median", summary.median);
  field("mean", summary.mean);
  field("stddev", summary.stddev);
  field("min", summary.min);
  field("max", summary.max);
  field("q25", summary.q25);
  field("q75", summary.q75);
}

template <typename T>
Json FieldsToJson(const T& value) {
  Json json = Json::object();
  VisitFields(value, [&](const char* name, const auto& x) { json[name] = x; });
  return json;
}

template <typename T>
Result<T> FieldsFromJson(const Json& json, const char* what) {
  T value;
  Result<void> read = base::Ok();
  VisitFields(value, [&](const char* name, auto& x) {
    if (!read) return;
    auto field = base::Get<std::remove_reference_t<decltype(x)>>(json, name);
    if (field)
      x = std::move(*field);
    else
      read = base::Propagate(field.error().Wrap(what));
  });
  if (!read) return base::Propagate(read.error());
  return value;
}

}  // namespace

Json ToJson(const Trial& trial) { return FieldsToJson(trial); }
Result<Trial> TrialFromJson(const Json& json) {
  return FieldsFromJson<Trial>(json, "trial");
}

Json ToJson(const Ruler& ruler) { return FieldsToJson(ruler); }
// Kept in stores, so that a field which a newer version added may be missing.
Result<Ruler> RulerFromJson(const Json& json) {
  if (!json.is_object()) return base::Fail("ruler: no object");
  Json whole = FieldsToJson(Ruler{});
  whole.update(json);
  return FieldsFromJson<Ruler>(whole, "ruler");
}

Json ToJson(const Turn& turn) {
  Json json{{"process", turn.process}};
  if (turn.plan) json["plan"] = ToJson(*turn.plan);
  return json;
}
Result<Turn> TurnFromJson(const Json& json) {
  Turn turn;
  KB_ASSIGN(turn.process, base::Get<int64_t>(json, "process"));
  if (!json.contains("plan")) return turn;
  KB_ASSIGN(turn.plan, RulerFromJson(json.at("plan")));
  return turn;
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

}  // namespace kb::record
