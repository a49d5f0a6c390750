#include "record/baseline.h"

#include <array>

namespace kb::record {
namespace {

using base::Json;
using base::Result;

constexpr std::array<const char*, 3> kModes{"eager", "compile",
                                            "compile-max-autotune"};

Json OrNull(const std::optional<TimeSummary>& time) {
  return time ? ToJson(*time) : Json(nullptr);
}

Result<std::optional<TimeSummary>> TimeFromJson(const Json& json,
                                                const char* key) {
  KB_ASSIGN(const Json value, base::Get<Json>(json, key));
  if (value.is_null()) return std::optional<TimeSummary>();
  KB_ASSIGN(const TimeSummary time, TimeSummaryFromJson(value));
  return std::optional(time);
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
          {"measured_at", baseline.measured_at}};
}

Json ToJson(const BaselineTimes& times) {
  return {{"mode", BaselineModeName(times.mode)},
          {"time", OrNull(times.time)},
          {"eager", OrNull(times.eager)},
          {"tf32", times.tf32},
          {"reason", times.reason},
          {"compile_seconds", times.compile_seconds}};
}

Result<BaselineTimes> BaselineTimesFromJson(const Json& json) {
  BaselineTimes times;
  KB_ASSIGN(const auto mode, base::Get<std::string>(json, "mode"));
  const auto parsed = ParseBaselineMode(mode);
  if (!parsed) return base::Fail("unknown baseline \"{}\"", mode);
  times.mode = *parsed;
  KB_ASSIGN(times.time, TimeFromJson(json, "time"));
  KB_ASSIGN(times.eager, TimeFromJson(json, "eager"));
  KB_ASSIGN(times.tf32, base::Get<std::string>(json, "tf32"));
  KB_ASSIGN(times.reason, base::Get<std::string>(json, "reason"));
  KB_ASSIGN(times.compile_seconds, base::Get<double>(json, "compile_seconds"));
  return times;
}

}  // namespace kb::record
