#include "html/facts.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "html/format.h"
#include "html/text.h"

namespace kb::html {
namespace {

using record::Evaluation;
using record::Launches;

constexpr const char* kFirstRuler =
    "measured by the first ruler (before version 2): not comparable with "
    "today's times";
constexpr const char* kCopied =
    "outputs are copied within the measured time, on both sides";
constexpr const char* kWarm = "warm: left as the call before left them";

// A constant is some hundred microseconds: three digits would blur it.
std::string Tenths(double us) { return fmt::format("{:.1f} {}", us, kMicro); }

std::string Seconds(double seconds) {
  return FormatTime(seconds * 1e6, kMicro);
}

std::string Percent(int64_t part, int64_t whole) {
  if (whole <= 0) return {};
  // All of them are said to be wrong only where they are.
  constexpr double kMost = 99.9;
  const double share =
      std::min(part < whole ? kMost : 100.0,
               100.0 * static_cast<double>(part) / static_cast<double>(whole));
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

std::string RulerSummary(const record::Ruler& ruler) {
  if (ruler.version == 1) return kFirstRuler;
  return "Reference and candidate took turns in processes of the same kind, "
         "and the oracle's clock alone told their times.";
}

namespace {

// The times that were read once, beside the rounds.
void AddReadings(const record::Ruler& ruler, FactList* facts) {
  AddFact("Reading without a call", Tenths(ruler.constant_us), facts);
  if (ruler.alone_us > 0 || ruler.alone_share > 0)
    AddFact("A call alone may take longer by",
            fmt::format("{} and {:.2g} %", FormatTime(ruler.alone_us, kMicro),
                        100 * ruler.alone_share),
            facts);
  const auto add = [&](const char* name, double us) {
    if (us > 0) AddFact(name, FormatTime(us, kMicro), facts);
  };
  add("PyTorch when the candidate had gone", ruler.control_us);
  add("Copy of one call's outputs", ruler.copied ? ruler.copy_us : 0);
  add("Floor: no honest call is shorter", ruler.floor_us);
  add("Candidate's first call, one-off work included", ruler.first_us);
  const record::Ceilings& reached = ruler.ceilings;
  if (reached.bandwidth_gbps > 0)
    AddFact("What the device reached",
            fmt::format("{:.0f} GB/s copied; TFLOP/s in fp32 {:.0f}, TF32 "
                        "{:.0f}, fp16 {:.0f}, bf16 {:.0f}",
                        reached.bandwidth_gbps, reached.fp32_tflops,
                        reached.tf32_tflops, reached.fp16_tflops,
                        reached.bf16_tflops),
            facts);
}

}  // namespace

std::vector<NamedTime> NamedTimes(const record::Evaluation& evaluation) {
  std::vector<NamedTime> times;
  const auto add = [&times](const char* side, const auto& time) {
    if (time) times.push_back({side, *time});
  };
  add("candidate", evaluation.candidate_time);
  add("PyTorch, eager", evaluation.reference_time);
  add("candidate, wall", evaluation.candidate_wall);
  add("PyTorch, eager, wall", evaluation.reference_wall);
  return times;
}

const char* Describe(Launches launches) {
  switch (launches) {
    case Launches::kHidden:
      return "hidden: on a GPU calls are enqueued before the gate opens";
    case Launches::kCaptured:
      return "captured in a CUDA graph: the launch queue has no room for them";
    case Launches::kPartlyHidden:
      return "hidden as far as they fit the launch queue, or come before a "
             "forward's own wait for the device";
    case Launches::kShown:
      break;
  }
  return "not hidden: not all can wait for the gate";
}

std::string LaunchesOf(const record::Ruler& ruler) {
  const char* const candidate = Describe(ruler.candidate_launches);
  if (ruler.reference_launches == ruler.candidate_launches) return candidate;
  return fmt::format("{}; of the reference {}", candidate,
                     Describe(ruler.reference_launches));
}

FactList RulerFacts(const record::Ruler& ruler) {
  FactList facts;
  if (ruler.version == 1) return facts;
  AddFact("Ruler", fmt::format("version {}", ruler.version), &facts);
  AddFact("Calls of a chain",
          ruler.calls > 1 ? FormatCount(ruler.calls)
                          : "1: calls are so long that none is needed",
          &facts);
  AddFact("Launches", LaunchesOf(ruler), &facts);
  AddFact("Outputs", ruler.copied ? kCopied : "written in place, not copied",
          &facts);
  AddFact("Caches", ruler.warm ? kWarm : "cold before every call", &facts);
  AddReadings(ruler, &facts);
  AddFact("TF32", ruler.tf32, &facts);
  AddFact("Processes of each side", FormatCount(ruler.processes), &facts);
  AddFact("Disturbed rounds, thrown away", FormatCount(ruler.disturbed),
          &facts);
  return facts;
}

std::vector<std::string> RulerRemarks(const record::Ruler& ruler) {
  if (ruler.version == 1) return {kFirstRuler};
  std::vector<std::string> remarks;
  if (ruler.reference_launches != Launches::kHidden ||
      ruler.candidate_launches != Launches::kHidden)
    remarks.push_back("launches " + LaunchesOf(ruler));
  if (ruler.copied) remarks.emplace_back(kCopied);
  if (ruler.warm) remarks.push_back(fmt::format("caches are {}", kWarm));
  return remarks;
}

std::string PartText(const record::Provenance::Part& part) {
  const std::string name =
      part.name.empty() ? "" : " " + VisibleLine(part.name);
  return fmt::format("{:.3g} % {} {}{}", 100 * part.share,
                     record::OriginName(part.origin), VisibleLine(part.object),
                     name);
}

FactList ProvenanceFacts(const record::Provenance& provenance) {
  FactList facts;
  AddFact("Code of its own",
          fmt::format("{:.3g} % of the time", 100 * provenance.own_share()),
          &facts);
  AddFact("All", record::DescribeShares(provenance), &facts);
  AddFact(
      "Seen by",
      provenance.method == "cupti"
          ? fmt::format("CUPTI in its own process: {} kernels and copies",
                        FormatCount(provenance.samples))
          : fmt::format("{} looks at the calling thread, in its own process",
                        FormatCount(provenance.samples)),
      &facts);
  for (const record::Provenance::Part& part : provenance.parts)
    facts.emplace_back("Part", PartText(part));
  return facts;
}

std::string PartText(const record::Activity::Part& part) {
  const std::string name = VisibleLine(part.name);
  const std::string object = VisibleLine(part.object);
  const char* const within = !name.empty() && !object.empty() ? " in " : "";
  return fmt::format("{:.3g} % {} {}{}{}", 100 * part.share,
                     record::OriginName(part.origin), name, within, object);
}

std::string FigureText(const record::Profile::Figure& figure) {
  return fmt::format(
      "{:.4g} {}{}. {}", figure.value, VisibleLine(figure.unit),
      figure.ceiling ? fmt::format(" of {:.4g}", *figure.ceiling) : "",
      VisibleLine(figure.meaning));
}

FactList ProfileFacts(const record::Profile& profile) {
  const record::Activity& activity = profile.activity;
  const bool cuda = activity.method == "cupti";
  FactList facts;
  AddFact("Held back by", profile.limiter, &facts);
  for (const record::Profile::Figure& figure : profile.figures)
    facts.emplace_back(VisibleLine(figure.name), FigureText(figure));
  AddFact("A call",
          fmt::format("{}, {} of it {}", FormatTime(activity.call_us, kMicro),
                      FormatTime(activity.busy_us, kMicro),
                      cuda ? "with work on the device"
                           : "of processor time, all threads"),
          &facts);
  AddFact("Seen by",
          fmt::format("{} {} in {} calls", FormatCount(activity.samples),
                      cuda ? "kernels, copies and fills"
                           : "looks at the calling thread",
                      FormatCount(activity.calls)),
          &facts);
  for (const record::Activity::Part& part : activity.parts)
    facts.emplace_back("Part", PartText(part));
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

}  // namespace kb::html
