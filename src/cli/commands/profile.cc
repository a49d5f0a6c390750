#include "commands/profile.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <vector>

#include "candidates.h"
#include "os/colour.h"
#include "os/files.h"
#include "profile/counters.h"
#include "report/profile.h"
#include "shared_options.h"
#include "task_maker.h"
#include "verdicts.h"
#include "workplace/workplace.h"

namespace kb::cli {
namespace {

using base::Result;
using workplace::Workplace;

// What ncu counted; none where no file is named.
Result<std::vector<profile::Counters>> CountersIn(const std::string& path) {
  constexpr uint64_t kMostBytes = uint64_t{64} << 20;
  if (path.empty()) return std::vector<profile::Counters>();
  const auto text = os::ReadFile(path, kMostBytes);
  if (!text)
    return base::Usage("--counters {}: {}", path, text.error().message());
  auto counters = profile::CountersFromCsv(*text);
  if (counters) return counters;
  return base::Usage("--counters {}: {}", path, counters.error().message());
}

void AddCountersTo(const std::vector<profile::Counters>& counters,
                   workplace::Judged* judged) {
  for (auto& evaluation : judged->evaluations)
    if (evaluation && evaluation->profile && !counters.empty() &&
        !profile::AddCounters(counters, &*evaluation->profile))
      evaluation->notes.emplace_back(
          "--counters: nothing was counted of the kernel that takes most");
}

void Print(const workplace::Judged& judged) {
  const bool colour = os::HasColour(STDOUT_FILENO);
  for (const auto& evaluation : judged.evaluations)
    if (evaluation)
      fmt::print("{}\n", report::RenderProfile(*evaluation, colour));
}

Result<ExitCode> Run(const EvalOptions& options) {
  if (options.list_counters) {
    fmt::print("{}\n", profile::CounterMetrics());
    return ExitCode::kDone;
  }
  if (options.candidates.empty())
    return base::Usage(
        "name what to profile: kernelbench profile softmax.cu, or a folder");
  KB_ASSIGN(const auto counters, CountersIn(options.counters));
  KB_ASSIGN(const auto candidates, ReadCandidates(options.candidates));
  KB_ASSIGN(const Workplace workplace, workplace::SetUp(options.judge));
  KB_TRY(workplace::CheckIsolation(workplace.policy, workplace));
  KB_ASSIGN(const auto tasks, TaskMaker(options, workplace).For(candidates));
  const std::string store = options.judge.no_store ? "" : options.judge.store;
  workplace::Judged judged = workplace::Judge(tasks, workplace, store);
  AddCountersTo(counters, &judged);
  if (options.judge.json)
    PrintEvaluations(judged.evaluations, judged.interrupted);
  else
    Print(judged);
  const ExitCode code = workplace::ExitCodeOf(judged);
  const bool all = std::ranges::all_of(
      judged.evaluations,
      [](const auto& each) { return each && each->profile.has_value(); });
  return code == ExitCode::kDone && !all ? ExitCode::kNo : code;
}

}  // namespace

void AddProfile(Command* program, EvalOptions* options, Call* call) {
  Command* profile = program->AddCommand(
      "profile", "where a correct candidate's time goes, and what limits it");
  profile->Footer(
      "example:\n  kernelbench profile softmax.cu --problem level1/23\n\nexit "
      "code: 0 all were profiled, 1 not all (a wrong one is not), 2 wrong "
      "usage, 3 our failure, 130 interrupted");
  profile->Add("candidate", &options->candidates,
               "what to profile: .cu, .cpp and .py files, answers of "
               "models in .md and .txt files, folders, patterns");
  profile
      ->Add("--problem", &options->problems,
            "ids such as level1/23,level1/24 (default: the candidate's "
            "own \"problem:\" line, or the only problem of the pack)")
      .SplitAt(',')
      .OneByOne();
  profile->Add("--counters", &options->counters,
               "what `ncu --csv` printed of the same kernel, to tell "
               "with the rest (docs/profile.md)");
  profile->AddFlag("--list-counters", &options->list_counters,
                   "print what --counters reads, for `ncu --metrics`, and do "
                   "nothing else");
  options->judge.usual_policy = "kernelbench";
  options->judge.profile = true;
  AddJudgeOptions(profile, &options->judge);
  Means(profile, call, options, Run);
}

}  // namespace kb::cli
