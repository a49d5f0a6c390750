#include "record/baseline.h"

#include "base/words.h"

namespace kb::record {
namespace {

using base::Json;

constexpr base::Words<BaselineMode, 7> kModes{
    {{BaselineMode::kEager, "eager"},
     {BaselineMode::kCompile, "compile"},
     {BaselineMode::kReduceOverhead, "compile-reduce-overhead"},
     {BaselineMode::kMaxAutotune, "compile-max-autotune"},
     {BaselineMode::kMaxAutotuneNoCudagraphs,
      "compile-max-autotune-no-cudagraphs"},
     {BaselineMode::kCudagraphs, "compile-cudagraphs"},
     {BaselineMode::kFla, "fla"}}};

Json OrNull(const std::optional<TimeSummary>& time) {
  return time ? ToJson(*time) : Json(nullptr);
}

}  // namespace

const char* BaselineModeName(BaselineMode mode) { return kModes.Of(mode); }

std::optional<BaselineMode> ParseBaselineMode(const std::string& name) {
  return kModes.Parse(name);
}

std::string BaselineModeNames() { return kModes.List(); }

Json ToJson(const Baseline& baseline) {
  return {{"problem", baseline.problem_id},
          {"problem_hash", baseline.problem_hash},
          {"size", SizeName(baseline.size)},
          {"precision", PrecisionName(baseline.precision)},
          {"device", ToJson(baseline.device)},
          {"tf32", baseline.tf32},
          {"mode", BaselineModeName(baseline.mode)},
          {"time_us", OrNull(baseline.time)},
          {"eager_us", OrNull(baseline.eager)},
          {"reason", baseline.reason},
          {"compile_seconds", baseline.compile_seconds},
          {"ruler", baseline.ruler},
          {"measured_at", baseline.measured_at}};
}

}  // namespace kb::record
