#include "record/baseline.h"

#include <array>

namespace kb::record {
namespace {

using base::Json;

constexpr std::array<const char*, 6> kModes{
    "eager",
    "compile",
    "compile-reduce-overhead",
    "compile-max-autotune",
    "compile-max-autotune-no-cudagraphs",
    "compile-cudagraphs"};

Json OrNull(const std::optional<TimeSummary>& time) {
  return time ? ToJson(*time) : Json(nullptr);
}

}  // namespace

const char* BaselineModeName(BaselineMode mode) {
  return kModes.at(static_cast<size_t>(mode));
}

std::optional<BaselineMode> ParseBaselineMode(const std::string& name) {
  for (size_t i = 0; i < kModes.size(); ++i)
    if (name == kModes.at(i)) return static_cast<BaselineMode>(i);
  return std::nullopt;
}

std::string BaselineModeNames() {
  std::string names;
  for (const char* mode : kModes)
    names += (names.empty() ? "" : ", ") + std::string(mode);
  return names;
}

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
