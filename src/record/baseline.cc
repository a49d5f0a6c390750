#include "record/baseline.h"

#include "base/words.h"
#include "times_json.h"

namespace kb::record {
namespace {

using base::Json;
using base::Result;

constexpr base::Words<BaselineMode, 7> kModes{
    {{BaselineMode::kEager, "eager"},
     {BaselineMode::kCompile, "compile"},
     {BaselineMode::kReduceOverhead, "compile-reduce-overhead"},
     {BaselineMode::kMaxAutotune, "compile-max-autotune"},
     {BaselineMode::kMaxAutotuneNoCudagraphs,
      "compile-max-autotune-no-cudagraphs"},
     {BaselineMode::kCudagraphs, "compile-cudagraphs"},
     {BaselineMode::kFla, "fla"}}};

template <typename E>
Result<E> Word(const Json& json, const char* field,
               std::optional<E> (*parse)(const std::string&)) {
  KB_ASSIGN(const auto word, base::Get<std::string>(json, field));
  const auto value = parse(word);
  if (!value) return base::Fail("{} \"{}\" is unknown", field, word);
  return *value;
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
          {"time_us", OptionalToJson(baseline.time)},
          {"eager_us", OptionalToJson(baseline.eager)},
          {"speedup", OptionalToJson(baseline.speedup)},
          {"reason", baseline.reason},
          {"compile_seconds", baseline.compile_seconds},
          {"ruler", baseline.ruler},
          {"measured_at", baseline.measured_at}};
}

Result<Baseline> BaselineFromJson(const Json& json) {
  Baseline baseline;
  KB_ASSIGN(baseline.problem_id, base::Get<std::string>(json, "problem"));
  KB_ASSIGN(baseline.problem_hash,
            base::Get<std::string>(json, "problem_hash"));
  KB_ASSIGN(baseline.size, Word<Size>(json, "size", ParseSize));
  KB_ASSIGN(baseline.precision,
            Word<Precision>(json, "precision", ParsePrecision));
  KB_ASSIGN(const Json device, base::Get<Json>(json, "device"));
  KB_ASSIGN(baseline.device, DeviceFactsFromJson(device));
  KB_ASSIGN(baseline.tf32, base::Get<std::string>(json, "tf32"));
  KB_ASSIGN(baseline.mode, Word<BaselineMode>(json, "mode", ParseBaselineMode));
  KB_TRY(TakeOptional(json, "time_us", TimeSummaryFromJson, &baseline.time));
  KB_TRY(TakeOptional(json, "eager_us", TimeSummaryFromJson, &baseline.eager));
  if (json.contains("speedup"))
    KB_TRY(TakeOptional(json, "speedup", IntervalFromJson, &baseline.speedup));
  KB_ASSIGN(baseline.reason, base::Get<std::string>(json, "reason"));
  KB_ASSIGN(baseline.compile_seconds,
            base::Get<double>(json, "compile_seconds"));
  KB_ASSIGN(baseline.ruler, base::Get<int64_t>(json, "ruler"));
  KB_ASSIGN(baseline.measured_at, base::Get<std::string>(json, "measured_at"));
  return baseline;
}

}  // namespace kb::record
