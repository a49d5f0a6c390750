#include "report/details.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "html/facts.h"
#include "html/format.h"
#include "html/text.h"

namespace kb::report {
namespace {

using record::Evaluation;
using record::Mismatch;

void AddMismatch(const Mismatch& mismatch, std::string* out) {
  if (!mismatch.structure.empty()) return;  // the reason says all
  *out += fmt::format("  wrong       {} of {} elements of output {}\n",
                      html::FormatCount(mismatch.wrong),
                      html::FormatCount(mismatch.elements), mismatch.output);
  if (mismatch.nonfinite > 0)
    *out += fmt::format("  non-finite  {}\n",
                        html::FormatCount(mismatch.nonfinite));
  if (mismatch.unwritten > 0)
    *out += fmt::format("  unwritten   {}\n",
                        html::FormatCount(mismatch.unwritten));
  if (mismatch.nonfinite < mismatch.wrong)
    *out +=
        fmt::format("  errors      absolute {:.3g}, relative {:.3g} at most\n",
                    mismatch.max_abs_error, mismatch.max_rel_error);
  const auto position = [&](const char* name,
                            const std::optional<Mismatch::Position>& place) {
    if (place)
      *out += fmt::format("  {:<10}  [{}]: {:.9g}, expected {:.9g}\n", name,
                          fmt::join(place->index, ", "), place->actual,
                          place->expected);
  };
  position("first", mismatch.first);
  position("worst", mismatch.worst);
  *out += fmt::format("  seed        {}\n", mismatch.seed);
  if (!mismatch.inputs.empty())
    *out +=
        fmt::format("  inputs      {}\n", html::VisibleLine(mismatch.inputs));
}

void AddTimes(const Evaluation& evaluation, std::string* out) {
  if (evaluation.speedup)
    *out +=
        fmt::format("  speedup     {} over eager PyTorch{}\n",
                    html::FormatSpeedup(*evaluation.speedup),
                    evaluation.sizes ? ", geometric mean over the sizes" : "");
  if (evaluation.candidate_time && evaluation.reference_time)
    *out += fmt::format("  time        {} (PyTorch {}), {} certified trials\n",
                        html::FormatTime(evaluation.candidate_time->median),
                        html::FormatTime(evaluation.reference_time->median),
                        evaluation.candidate_time->count);
  if (evaluation.wall_speedup)
    *out += fmt::format("  wall ratio  {} one call after the other\n",
                        html::FormatSpeedup(*evaluation.wall_speedup));
  if (evaluation.candidate_wall && evaluation.reference_wall)
    *out += fmt::format("  wall time   {} (PyTorch {})\n",
                        html::FormatTime(evaluation.candidate_wall->median),
                        html::FormatTime(evaluation.reference_wall->median));
  if (evaluation.ruler)
    for (const std::string& remark : html::RulerRemarks(*evaluation.ruler))
      *out += fmt::format("  timing      {}\n", remark);
  if (evaluation.interpreted)
    *out += "  time        none: Triton ran in its interpreter\n";
}

// A row for each, below the verdict over all.
void AddSizes(const Evaluation& evaluation, std::string* out) {
  if (!evaluation.sizes) return;
  size_t width = 0;
  for (const record::AtSize& at : *evaluation.sizes)
    width = std::max(width, record::SizeName(at.size).size());
  const char* heading = "sizes";
  for (const record::AtSize& at : *evaluation.sizes) {
    *out +=
        fmt::format("  {:<10}  {:<{}}  {}", heading, record::SizeName(at.size),
                    width, html::FormatVerdict(at.verdict));
    if (at.speedup)
      *out += fmt::format("  {}", html::FormatSpeedup(*at.speedup));
    if (at.candidate_time && at.reference_time)
      *out += fmt::format("  {} (PyTorch {})",
                          html::FormatTime(at.candidate_time->median),
                          html::FormatTime(at.reference_time->median));
    *out += '\n';
    heading = "";
  }
}

// The word of the candidate's own process.
void AddProvenance(const Evaluation& evaluation, std::string* out) {
  if (!evaluation.provenance) return;
  const record::Provenance& provenance = *evaluation.provenance;
  *out += fmt::format("  what ran    {}\n", record::DescribeShares(provenance));
  constexpr size_t kShown = 3;
  for (size_t i = 0; i < std::min(kShown, provenance.parts.size()); ++i)
    *out +=
        fmt::format("              {}\n", html::PartText(provenance.parts[i]));
}

// The same, in a few lines.
void AddProfile(const Evaluation& evaluation, std::string* out) {
  if (!evaluation.profile) return;
  const record::Profile& profile = *evaluation.profile;
  *out +=
      fmt::format("  held back   by {}\n", html::VisibleLine(profile.limiter));
  for (const record::Profile::Figure& figure : profile.figures)
    *out +=
        fmt::format("              {}\n", html::VisibleLine(figure.meaning));
}

// What it was tried on besides the problem's own inputs.
void AddOutside(const Evaluation& evaluation, std::string* out) {
  if (!evaluation.outside) return;
  const auto& distributions = evaluation.outside->distributions;
  if (!distributions.empty())
    *out += fmt::format("  other inputs {}\n",
                        html::VisibleLine(record::Describe(distributions)));
  const auto& sizes = evaluation.outside->sizes;
  if (!sizes.empty())
    *out += fmt::format("  other sizes {}\n",
                        html::VisibleLine(record::Describe(sizes)));
}

void AddLog(const std::string& log, std::string* out) {
  if (log.empty()) return;
  *out += "  log\n    ";
  for (const char c : html::Visible(log)) {
    *out += c;
    if (c == '\n') *out += "    ";
  }
  *out += '\n';
}

}  // namespace

std::string RenderDetails(const Evaluation& evaluation, bool colour) {
  const bool good = evaluation.verdict == record::Verdict::kCorrect;
  const char* start = !colour ? "" : good ? "\033[1;32m" : "\033[1;31m";
  const char* end = colour ? "\033[0m" : "";
  std::string out = fmt::format(
      "{}{}{}  {} {} ({}, {}, {})\n", start, html::FormatVerdict(evaluation),
      end, html::VisibleLine(evaluation.problem_id),
      html::VisibleLine(evaluation.candidate.name), evaluation.device.device,
      record::SizeName(evaluation.size),
      record::PrecisionName(evaluation.precision));
  out +=
      fmt::format("  reason      {}\n", html::VisibleLine(evaluation.reason));
  AddSizes(evaluation, &out);
  if (evaluation.mismatch) AddMismatch(*evaluation.mismatch, &out);
  AddTimes(evaluation, &out);
  AddProvenance(evaluation, &out);
  AddProfile(evaluation, &out);
  AddOutside(evaluation, &out);
  for (const std::string& note : evaluation.notes)
    out += fmt::format("  note        {}\n", html::VisibleLine(note));
  if (evaluation.policy.name != "kernelbench")
    out += fmt::format("  policy      {}\n",
                       html::VisibleLine(evaluation.policy.name));
  if (evaluation.isolation != "full")
    out += fmt::format("  isolation   {}\n",
                       html::VisibleLine(evaluation.isolation));
  AddLog(evaluation.log, &out);
  return out;
}

}  // namespace kb::report
