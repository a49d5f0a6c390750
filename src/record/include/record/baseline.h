#pragma once

#include <optional>
#include <string>

#include "base/json.h"
#include "base/result.h"
#include "record/evaluation.h"

namespace kb::record {

// What a candidate is compared with. Never mixed.
enum class BaselineMode {
  kEager,                    // PyTorch as it is
  kCompile,                  // torch.compile, default mode
  kReduceOverhead,           // mode reduce-overhead
  kMaxAutotune,              // mode max-autotune
  kMaxAutotuneNoCudagraphs,  // mode max-autotune-no-cudagraphs
  kCudagraphs,               // backend cudagraphs
  kFla,  // with flash-linear-attention, where Problem::fla says how
};
// "eager", "compile", "compile-" and the mode's name, "compile-cudagraphs",
// "fla".
const char* BaselineModeName(BaselineMode mode);
std::optional<BaselineMode> ParseBaselineMode(const std::string& name);
std::string BaselineModeNames();  // all of them: "eager, compile, ..."

// Times of one problem's reference in one mode: measured as a candidate is, by
// the ruler, in alternation with eager on the same inputs.
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
  // Over eager; absent with kEager, and of what an older program measured.
  std::optional<Interval> speedup;
  std::string reason;             // why there is no time, or a remark
  double compile_seconds = 0;     // of the first call, in which it compiles
  int64_t ruler = kRulerVersion;  // 1: not comparable with today's times
  std::string measured_at;        // UTC, ISO 8601
};
base::Json ToJson(const Baseline& baseline);
// What ToJson(baseline) wrote.
base::Result<Baseline> BaselineFromJson(const base::Json& json);

}  // namespace kb::record
