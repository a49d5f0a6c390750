#pragma once

#include <string>
#include <type_traits>

#include "base/result.h"
#include "record/baseline.h"
#include "record/decision.h"
#include "record/evaluation.h"
#include "record/generation.h"
#include "record/outcome.h"
#include "record/request.h"
#include "record/timing_fields.h"
#include "values.h"

// The columns of each table, named once for both directions.
namespace kb::store {

template <typename E, typename F>
void VisitColumns(E& e, F&& field) {
  field("problem_id", e.problem_id);
  field("problem_hash", e.problem_hash);
  field("candidate_name", e.candidate.name);
  field("candidate_path", e.candidate.path);
  field("model", e.model);
  field("sample", e.sample);
  field("turn", e.turn);
  field("confirms", e.confirms);
  field("track", e.candidate.track);
  field("backend", e.candidate.backend);
  field("builds_extension", e.candidate.builds_extension);
  field("size", e.size);
  field("precision", e.precision);
  field("device", e.device.device);
  field("device_name", e.device.name);
  field("driver", e.device.driver);
  field("torch", e.device.torch);
  field("arch", e.device.arch);
  field("isolation", e.isolation);
  field("version", e.version);
  field("verdict", e.verdict);
  field("reason", e.reason);
  field("interpreted", e.interpreted);
  field("atol", e.tolerance.atol);
  field("rtol", e.tolerance.rtol);
  field("mismatch", AsJson(e.mismatch, record::MismatchFromJson));
  field("ruler", AsJson(e.ruler, record::RulerFromJson));
  field("provenance", AsJson(e.provenance, record::ProvenanceFromJson));
  field("profile", AsJson(e.profile, record::ProfileFromJson));
  field("outside", AsJson(e.outside, record::OutsideFromJson));
  field("sizes", AsJson(e.sizes, record::AtSizesFromJson));
  field("compile_seconds", e.compile_seconds);
  field("compile_cached", e.compile_cached);
  field("wall_seconds", e.wall_seconds);
  field("started_at", e.started_at);
}

template <typename T, typename F>
void VisitColumns(T& outcome, F&& field)
  requires std::is_same_v<std::remove_const_t<T>, record::Outcome>
{
  field("id", outcome.id);
  field("problem_id", outcome.problem_id);
  field("problem_hash", outcome.problem_hash);
  field("candidate_name", outcome.candidate_name);
  field("candidate_hash", outcome.candidate_hash);
  field("model", outcome.model);
  field("sample", outcome.sample);
  field("turn", outcome.turn);
  field("confirms", outcome.confirms);
  field("backend", outcome.backend);
  field("size", outcome.size);
  field("precision", outcome.precision);
  field("policy", outcome.policy);
  field("policy_hash", outcome.policy_hash);
  field("device_name", outcome.device_name);
  field("driver", outcome.driver);
  field("torch", outcome.torch);
  field("verdict", outcome.verdict);
  field("reason", outcome.reason);
  field("speedup", outcome.speedup);
  field("wall_speedup", outcome.wall_speedup);
  field("wall_seconds", outcome.wall_seconds);
  field("compile_seconds", outcome.compile_seconds);
}

template <typename T, typename F>
void VisitColumns(T& generation, F&& field)
  requires std::is_same_v<std::remove_const_t<T>, record::Generation>
{
  field("problem_id", generation.problem_id);
  field("problem_hash", generation.problem_hash);
  field("sample", generation.sample);
  field("turn", generation.turn);
  field("model", generation.model);
  field("served_model", generation.served_model);
  field("status", generation.status);
  field("reason", generation.reason);
  field("history", AsJson(generation.history, record::HistoryFromJson));
  field("shown", AsJson(generation.shown, record::ShownProgramsFromJson));
  field("candidate_name", generation.candidate_name);
  field("input_tokens", generation.usage.input);
  field("cached_tokens", generation.usage.cached);
  field("output_tokens", generation.usage.output);
  field("reasoning_tokens", generation.usage.reasoning);
  field("usd", generation.usd);
  field("seconds", generation.seconds);
  field("attempts", generation.attempts);
  field("started_at", generation.started_at);
}

template <typename T, typename F>
void VisitColumns(T& baseline, F&& field)
  requires std::is_same_v<std::remove_const_t<T>, record::Baseline>
{
  field("problem_id", baseline.problem_id);
  field("problem_hash", baseline.problem_hash);
  field("size", baseline.size);
  field("precision", baseline.precision);
  field("device", baseline.device.device);
  field("device_name", baseline.device.name);
  field("driver", baseline.device.driver);
  field("torch", baseline.device.torch);
  field("arch", baseline.device.arch);
  field("tf32", baseline.tf32);
  field("mode", baseline.mode);
  field("time", AsJson(baseline.time, record::TimeSummaryFromJson));
  field("eager", AsJson(baseline.eager, record::TimeSummaryFromJson));
  field("speedup", AsJson(baseline.speedup, record::IntervalFromJson));
  field("reason", baseline.reason);
  field("compile_seconds", baseline.compile_seconds);
  field("ruler", baseline.ruler);
  field("measured_at", baseline.measured_at);
}

template <typename T, typename F>
void VisitColumns(T& request, F&& field)
  requires std::is_same_v<std::remove_const_t<T>, record::Request>
{
  field("model", request.model);
  field("problem_id", request.problem_id);
  field("problem_hash", request.problem_hash);
  field("size", request.size);
  field("precision", request.precision);
  field("samples", request.samples);
  field("device_name", request.device_name);
}

template <typename T, typename F>
void VisitColumns(T& decision, F&& field)
  requires std::is_same_v<std::remove_const_t<T>, record::Decision>
{
  field("model", decision.model);
  field("problem_id", decision.problem_id);
  field("problem_hash", decision.problem_hash);
  field("sample", decision.sample);
  field("ask", AsJson(decision.ask, record::AskFromJson));
  field("told", AsJson(decision.told, record::ToldFromJson));
}

// Their columns are called as their fields are.
template <typename T, typename F>
void VisitColumns(T& timed, F&& field)
  requires std::is_same_v<std::remove_const_t<T>, record::Trial> ||
           std::is_same_v<std::remove_const_t<T>, record::TimeSummary>
{
  record::VisitFields(timed, field);
}

// "a, b, c" of a type's columns.
template <typename T>
std::string ColumnsOf(const std::string& prefix = "") {
  const T value{};
  std::string names;
  VisitColumns(value, [&](const char* name, const auto&) {
    names += (names.empty() ? "" : ", ") + prefix + name;
  });
  return names;
}

template <typename T>
void PutAll(Statement* to, const T& value) {
  VisitColumns(value, [&](const char*, const auto& x) { Put(to, x); });
}

template <typename T>
base::Result<void> TakeAll(Statement* from, T* value) {
  base::Result<void> result = base::Ok();
  VisitColumns(*value, [&](const char* name, auto&& x) {
    if (!result) return;
    if (const auto taken = Take(from, x); !taken)
      result = base::Propagate(taken.error().Wrap(name));
  });
  return result;
}

}  // namespace kb::store
