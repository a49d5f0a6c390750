#include "run_profile.h"

#include <fmt/format.h>

#include <cstdio>
#include <limits>

#include "os/files.h"
#include "overwrite.h"

namespace kb::cli {
namespace {

using base::Result;
using eval::Phase;
using eval::Profile;

const char* Meaning(Phase phase) {
  switch (phase) {
    case Phase::kBuild:
      return "compilers";
    case Phase::kWait:
      return "nothing to build";
    case Phase::kPrepare:
      return "oracles start, problems open";
    case Phase::kStart:
      return "processes start and load";
    case Phase::kInputs:
      return "inputs are drawn and written";
    case Phase::kTrials:
      return "reference and candidate run";
    case Phase::kCompare:
      return "expected outputs, comparison";
    case Phase::kIdle:
      return "nothing is built to judge";
  }
  return "";
}

// The lines of one kind of row: their seconds, and the share of what their
// number had.
std::string Lines(const Profile::Summary& summary, bool builds) {
  Profile::Seconds sums{};
  size_t rows = 0;
  for (const Profile::Row& row : summary.rows) {
    if (row.builds != builds) continue;
    ++rows;
    for (size_t i = 0; i < sums.size(); ++i) sums.at(i) += row.seconds.at(i);
  }
  if (rows == 0) return "";
  const double all = summary.wall_seconds * static_cast<double>(rows);
  std::string text =
      fmt::format("{} {}\n", rows,
                  builds ? (rows == 1 ? "slot for builds" : "slots for builds")
                         : (rows == 1 ? "lane" : "lanes"));
  const auto line = [&](std::string_view name, double seconds,
                        const char* meaning) {
    text += fmt::format("  {:<9}{:>9.1f} s {:>5.1f} %  {}\n", name, seconds,
                        all > 0 ? 100 * seconds / all : 0.0, meaning);
  };
  double rest = all;
  for (size_t i = 0; i < sums.size(); ++i) {
    const auto phase = static_cast<Phase>(i);
    if (eval::IsOfBuilds(phase) != builds) continue;
    line(eval::PhaseName(phase), sums.at(i), Meaning(phase));
    rest -= sums.at(i);
  }
  line("rest", rest, "set-up, results, between");
  return text;
}

}  // namespace

std::string RunProfileTable(const Profile::Summary& summary) {
  return fmt::format("where {:.1f} s went\n{}{}", summary.wall_seconds,
                     Lines(summary, false), Lines(summary, true));
}

void AddProfileRun(Command* command, std::string* path) {
  command->Add(
      "--profile-run", path,
      "say where the wall time went, and write it to this file as a trace "
      "that chrome://tracing and Perfetto show");
}

Result<Profile*> RunProfile::Begin(const std::string& path) {
  path_ = path;
  if (path_.empty()) return nullptr;
  KB_TRY(CheckReplaces("--profile-run", path_, "{", "trace"));
  // What is there stays until there is something to take its place.
  const auto before = os::ReadFile(path_, std::numeric_limits<int64_t>::max());
  const auto writable = os::WriteFileAtomically(path_, before ? *before : "");
  if (!writable)
    return base::Usage("--profile-run: {}", writable.error().message());
  return &profile_.emplace();
}

Result<void> RunProfile::End() const {
  if (!profile_) return base::Ok();
  fmt::print(stderr, "{}", RunProfileTable(profile_->Summarize()));
  return os::WriteFileAtomically(path_, profile_->Trace().dump());
}

}  // namespace kb::cli
