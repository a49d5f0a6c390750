#include "display/facts.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "display/format.h"
#include "display/text.h"

namespace kb::display {
namespace {

using record::Evaluation;

constexpr const char* kMicro = "\u00b5s";

// The band is a few per cent of the constant: three digits would blur it.
std::string Tenths(double us) { return fmt::format("{:.1f} {}", us, kMicro); }

std::string Seconds(double seconds) {
  return FormatTime(seconds * 1e6, kMicro);
}

std::string Percent(int64_t part, int64_t whole) {
  if (whole <= 0) return {};
  const double share =
      100.0 * static_cast<double>(part) / static_cast<double>(whole);
  return fmt::format(" ({:.3g} %)", share);
}

std::string ToleranceText(const record::Tolerance& tolerance) {
  return fmt::format("atol {:g}, rtol {:g}", tolerance.atol, tolerance.rtol);
}

}  // namespace

void AddFact(const char* name, std::string_view value, FactList* facts) {
  if (!value.empty()) facts->emplace_back(name, VisibleLine(value));
}

std::string IndexOf(const record::Mismatch::Position& position) {
  return fmt::format("[{}]", fmt::join(position.index, ", "));
}

std::string Number(double value) { return fmt::format("{:.9g}", value); }

std::string MismatchSummary(const record::Mismatch& m) {
  if (!m.structure.empty())
    return fmt::format("Output {}: {}", m.output, VisibleLine(m.structure));
  return fmt::format(
      "Output {}: {} of {} elements{} lie outside the tolerance.", m.output,
      FormatCount(m.wrong), FormatCount(m.elements),
      Percent(m.wrong, m.elements));
}

FactList MismatchFacts(const Evaluation& e) {
  const record::Mismatch& m = *e.mismatch;
  FactList facts;
  AddFact("Pattern", m.pattern, &facts);
  if (m.structure.empty()) {
    AddFact("Largest absolute error", Number(m.max_abs_error), &facts);
    AddFact("Largest relative error", Number(m.max_rel_error), &facts);
  }
  if (m.nonfinite > 0)
    AddFact("NaN or infinite where it must not be", FormatCount(m.nonfinite),
            &facts);
  if (m.unwritten > 0)
    AddFact("Never written", FormatCount(m.unwritten), &facts);
  AddFact("Seed to reproduce it", std::to_string(m.seed), &facts);
  AddFact("Tolerance", ToleranceText(e.tolerance), &facts);
  return facts;
}

FactList CalibrationFacts(const record::Calibration& c) {
  FactList facts;
  AddFact("Constant, short calls", Tenths(c.constant_us), &facts);
  AddFact("Constant, long calls", Tenths(c.long_constant_us), &facts);
  AddFact("Band", Tenths(c.low_us) + " to " + Tenths(c.high_us), &facts);
  AddFact("Stage at most", Tenths(c.stage_high_us), &facts);
  AddFact("Settle at most", Tenths(c.settle_high_us), &facts);
  AddFact("Samples", FormatCount(c.samples), &facts);
  return facts;
}

FactList JudgingFacts(const Evaluation& e) {
  const std::string built =
      fmt::format("{}{}", Seconds(e.compile_seconds),
                  e.compile_cached ? ", from the cache" : "");
  FactList facts;
  AddFact("Policy", e.policy.name, &facts);
  AddFact("Tolerance", ToleranceText(e.tolerance), &facts);
  AddFact("Device", fmt::format("{} ({})", e.device.device, e.device.name),
          &facts);
  AddFact("Architecture", e.device.arch, &facts);
  AddFact("Driver", e.device.driver, &facts);
  AddFact("torch", e.device.torch, &facts);
  AddFact("Isolation", e.isolation, &facts);
  AddFact("kernelbench", e.version, &facts);
  AddFact("Compiled in", built, &facts);
  AddFact("Judged in", Seconds(e.wall_seconds), &facts);
  AddFact("Started", e.started_at, &facts);
  AddFact("File", e.candidate.path, &facts);
  AddFact("Build step of its own",
          e.candidate.builds_extension ? "load_inline or load" : "", &facts);
  AddFact("Candidate hash", e.candidate.Hash().substr(0, 16), &facts);
  AddFact("Problem hash", e.problem_hash.substr(0, 16), &facts);
  return facts;
}

}  // namespace kb::display
