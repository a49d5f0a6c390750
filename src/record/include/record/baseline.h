#pragma once

#include <optional>
#include <string>

#include "base/json.h"
#include "base/result.h"
#include "record/evaluation.h"

namespace kb::record {

// What a candidate is compared with. Never mixed.
enum class BaselineMode {
  kEager,        // PyTorch as it is
  kCompile,      // torch.compile, default mode
  kMaxAutotune,  // torch.compile, max-autotune-no-cudagraphs
};
// "eager", "compile", "compile-max-autotune"
const char* BaselineModeName(BaselineMode mode);
std::optional<BaselineMode> ParseBaselineMode(const std::string& name);

// Times of one problem's reference in one mode. Measured like a candidate's:
// cold cache, fresh inputs for every call, device events around forward, and in
// alternation with eager on the same inputs.
struct Baseline {
  std::string problem_id;
  std::string problem_hash;
  Size size = Size::kFull;
  Precision precision = Precision::kFp32;
  DeviceFacts device;
  std::string tf32;  // what PyTorch allowed: "cudnn", "cudnn+matmul", "none"
  BaselineMode mode = BaselineMode::kEager;
  std::optional<TimeSummary> time;   // absent: it does not work, see `reason`
  std::optional<TimeSummary> eager;  // of the same inputs; absent with kEager
  std::string reason;                // why there is no time, or a remark
  double compile_seconds = 0;        // of the first call
  std::string measured_at;           // UTC, ISO 8601
};
base::Json ToJson(const Baseline& baseline);

// Times that an oracle measured in one mode.
struct BaselineTimes {
  BaselineMode mode = BaselineMode::kEager;
  std::optional<TimeSummary> time;
  std::optional<TimeSummary> eager;
  std::string tf32;
  std::string reason;
  double compile_seconds = 0;
};
base::Json ToJson(const BaselineTimes& times);
base::Result<BaselineTimes> BaselineTimesFromJson(const base::Json& json);

}  // namespace kb::record
