#include "corpus/outcome.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace kb::corpus {
namespace {

using record::Evaluation;
using record::Verdict;

bool Contains(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

// Of a mismatch.
Layer LayerOf(const record::Mismatch& mismatch) {
  if (!mismatch.structure.empty()) {
    const bool memory = Contains(mismatch.structure, "changed its input") ||
                        mismatch.structure.starts_with("wrote ");
    return memory ? Layer::kMemory : Layer::kStructure;
  }
  return mismatch.unwritten > 0 ? Layer::kPoison : Layer::kComparison;
}

// Of a verdict without a certified answer.
Layer LayerOf(const Evaluation& evaluation) {
  switch (*evaluation.verdict) {
    case Verdict::kRejected:
      if (evaluation.outside && evaluation.outside->shape_specialised())
        return Layer::kOtherSizes;
      return evaluation.trials.empty() ? Layer::kStaticCheck : Layer::kWhatRan;
    case Verdict::kCompileError:
      return Layer::kCompiler;
    case Verdict::kTimeout:
    case Verdict::kOutOfMemory:
      return Layer::kLimits;
    case Verdict::kIncorrect:
      return evaluation.mismatch ? LayerOf(*evaluation.mismatch)
                                 : Layer::kComparison;
    case Verdict::kNotCertified:
      if (Contains(evaluation.reason, "is impossible")) return Layer::kFloor;
      return Contains(evaluation.reason, "weights") ? Layer::kMemory
                                                    : Layer::kLook;
    default:
      return Layer::kJail;
  }
}

// As far apart as two times of the same kernel may be (`selftest timing`).
double NoiseOf(const std::string& device_kind) {
  return device_kind == "cuda" ? 1.02 : 1.65;
}

// On a GPU a microsecond more.
bool IsGain(const Evaluation& evaluation, const Evaluation& twin,
            const std::string& device_kind) {
  const double least = evaluation.speedup->low / twin.speedup->high;
  if (least <= NoiseOf(device_kind)) return false;
  const double micros = twin.candidate_time->median;
  return device_kind != "cuda" || micros - micros / least > 1;
}

}  // namespace

const char* LayerName(Layer layer) {
  constexpr std::array<const char*, kLayers> kNames{
      "static check", "compiler",    "jail",   "limits", "structure",
      "poison",       "comparison",  "memory", "look",   "floor",
      "what ran",     "other sizes", "no gain"};
  return kNames.at(static_cast<size_t>(layer));
}

Outcome OutcomeOf(const Evaluation* evaluation, const Evaluation* twin,
                  const std::string& device_kind) {
  if (evaluation == nullptr) return {};
  if (!evaluation->verdict) return {Outcome::Kind::kNotRun, {}, {}};
  if (*evaluation->verdict == Verdict::kInfraError) return {};
  if (*evaluation->verdict != Verdict::kCorrect)
    return {Outcome::Kind::kStopped, LayerOf(*evaluation), {}};
  if (!evaluation->speedup)
    return {Outcome::Kind::kStopped, Layer::kNoGain, {}};
  if (twin == nullptr || !twin->speedup) return {};
  const double gain = evaluation->speedup->estimate / twin->speedup->estimate;
  if (IsGain(*evaluation, *twin, device_kind))
    return {Outcome::Kind::kGained, {}, gain};
  return {Outcome::Kind::kStopped, Layer::kNoGain, gain};
}

std::string FaredOtherwise(const Evaluation& after, const Evaluation& alone,
                           const std::string& device_kind) {
  const auto name = [](const Evaluation& evaluation) {
    return evaluation.verdict ? record::VerdictName(*evaluation.verdict)
                              : "not run";
  };
  if (after.verdict != alone.verdict)
    return fmt::format("{}, alone {}: {}", name(after), name(alone),
                       after.reason);
  if (!after.speedup || !alone.speedup) return "";
  const double ratio = std::max(alone.speedup->low / after.speedup->high,
                                after.speedup->low / alone.speedup->high);
  if (ratio <= NoiseOf(device_kind)) return "";
  return fmt::format("{:.3g} times as fast as the reference, alone {:.3g}",
                     after.speedup->estimate, alone.speedup->estimate);
}

}  // namespace kb::corpus
