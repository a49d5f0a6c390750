#include "report/profile.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "html/facts.h"
#include "html/format.h"
#include "html/text.h"

namespace kb::report {
namespace {

using record::Activity;
using record::Profile;

void AddFigures(const Profile& profile, std::string* out) {
  size_t width = 0;
  for (const Profile::Figure& figure : profile.figures)
    width = std::max(width, html::Columns(html::VisibleLine(figure.name)));
  for (const Profile::Figure& figure : profile.figures) {
    const std::string ceiling =
        figure.ceiling ? fmt::format(" of {:.4g}", *figure.ceiling) : "";
    const std::string value = fmt::format("{:.4g}{} {}", figure.value, ceiling,
                                          html::VisibleLine(figure.unit));
    *out +=
        fmt::format("  {:<{}}  {:<22}  {}\n", html::VisibleLine(figure.name),
                    width, value, html::VisibleLine(figure.meaning));
  }
}

std::string Extent(const std::array<int64_t, 3>& extent) {
  size_t last = extent.size();
  while (last > 1 && extent.at(last - 1) == 1) --last;
  return fmt::format(
      "{}",
      fmt::join(extent.begin(), extent.begin() + static_cast<long>(last), "x"));
}

// One line under a kernel: how it was launched.
std::string LaunchText(const Activity::Launch& launch,
                       const std::optional<Profile::Occupancy>& occupancy) {
  std::string text =
      fmt::format("grid {}, block {}, {} registers, {} + {} bytes shared",
                  Extent(launch.grid), Extent(launch.block), launch.registers,
                  launch.static_shared_bytes, launch.dynamic_shared_bytes);
  if (launch.local_bytes > 0)
    text += fmt::format(", {} bytes local", launch.local_bytes);
  if (occupancy)
    text += fmt::format(", occupancy {:.3g} % by {}", 100 * occupancy->share,
                        html::VisibleLine(occupancy->limited_by));
  return text;
}

void AddParts(const Profile& profile, std::string* out) {
  const Activity& activity = profile.activity;
  *out += "  where\n";
  for (size_t i = 0; i < activity.parts.size(); ++i) {
    const Activity::Part& part = activity.parts[i];
    *out += fmt::format("    {}", html::PartText(part));
    if (part.count > 0)
      *out += fmt::format(
          ", {:.3g} in a call, {} each", part.count,
          html::FormatTime(part.share * activity.busy_us / part.count));
    if (part.bytes > 0)
      *out += fmt::format(", {:.4g} MB a call", part.bytes / 1e6);
    *out += '\n';
    if (part.launch)
      *out += fmt::format(
          "      {}\n", LaunchText(*part.launch, i < profile.occupancies.size()
                                                     ? profile.occupancies[i]
                                                     : std::nullopt));
  }
}

void AddCall(const record::Evaluation& evaluation, std::string* out) {
  const Activity& activity = evaluation.profile->activity;
  const bool cuda = activity.method == "cupti";
  *out += fmt::format(
      "  a call        {}, {} of it {}; {} {} in {} calls\n",
      html::FormatTime(activity.call_us), html::FormatTime(activity.busy_us),
      cuda ? "with work on the device" : "of processor time",
      html::FormatCount(activity.samples),
      cuda ? "kernels and copies" : "looks", html::FormatCount(activity.calls));
  if (evaluation.candidate_time)
    *out +=
        fmt::format("  certified     {}, seen by nobody while it was read\n",
                    html::FormatTime(evaluation.candidate_time->median));
}

void AddNotes(const record::Evaluation& evaluation, std::string* out) {
  for (const std::string& note : evaluation.notes)
    *out += fmt::format("  note          {}\n", html::VisibleLine(note));
}

}  // namespace

std::string RenderProfile(const record::Evaluation& evaluation, bool colour) {
  const char* start = !colour              ? ""
                      : evaluation.profile ? "\033[1;32m"
                                           : "\033[1;31m";
  std::string out = fmt::format(
      "{}{}{}  {} {} ({}, {}, {})\n", start, html::FormatVerdict(evaluation),
      colour ? "\033[0m" : "", html::VisibleLine(evaluation.problem_id),
      html::VisibleLine(evaluation.candidate.name), evaluation.device.device,
      record::SizeName(evaluation.size),
      record::PrecisionName(evaluation.precision));
  if (!evaluation.profile) {
    out += fmt::format("  reason        {}\n",
                       html::VisibleLine(evaluation.reason));
    AddNotes(evaluation, &out);
    return out;
  }
  out += fmt::format("  held back by  {}\n",
                     html::VisibleLine(evaluation.profile->limiter));
  AddCall(evaluation, &out);
  AddFigures(*evaluation.profile, &out);
  AddParts(*evaluation.profile, &out);
  AddNotes(evaluation, &out);
  return out;
}

}  // namespace kb::report
