#include "commands/baseline.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <map>
#include <set>
#include <utility>

#include "analysis/baseline_comparison.h"
#include "base/json.h"
#include "html/format.h"
#include "html/html.h"
#include "jail/jail.h"
#include "os/status_line.h"
#include "os/stop_on_signal.h"
#include "record/baseline.h"
#include "record/document.h"
#include "run/baselines.h"
#include "run/files.h"
#include "run_profile.h"
#include "shared_options.h"
#include "workplace/progress.h"
#include "workplace/selection.h"
#include "workplace/workplace.h"

namespace kb::cli {
namespace {

namespace fs = std::filesystem;
using base::Json;
using base::Result;
using record::Baseline;
using record::BaselineMode;
using workplace::Workplace;

std::string TimeOf(const Baseline* baseline) {
  if (baseline == nullptr || !baseline->time) return "-";
  return html::FormatTime(baseline->time->median);
}

// Eager's time over the mode's, from the alternation.
std::string GainOf(const Baseline* baseline) {
  if (baseline == nullptr || !baseline->time || !baseline->eager) return "";
  if (!baseline->speedup)
    return html::FormatRatio(baseline->eager->median / baseline->time->median);
  return html::FormatSpeedup(*baseline->speedup);
}

// `with_fla`: the problems that have such a baseline.
void PrintTable(const std::vector<Baseline>& baselines,
                const std::vector<BaselineMode>& modes,
                const std::set<std::string>& with_fla) {
  std::map<std::string, std::map<BaselineMode, const Baseline*>> problems;
  std::vector<std::string> order;
  for (const Baseline& baseline : baselines) {
    if (!problems.contains(baseline.problem_id))
      order.push_back(baseline.problem_id);
    problems[baseline.problem_id][baseline.mode] = &baseline;
  }
  fmt::print("{:<20} {:<36} {:>10}  {}\n", "problem", "mode", "time",
             "over eager");
  for (const std::string& id : order) {
    std::string head = id;
    for (const BaselineMode mode : modes) {
      if (mode == BaselineMode::kFla && !with_fla.contains(id)) continue;
      const Baseline* baseline = problems[id][mode];
      fmt::print("{:<20} {:<36} {:>10}  {}\n", std::exchange(head, ""),
                 record::BaselineModeName(mode), TimeOf(baseline),
                 GainOf(baseline));
      if (baseline != nullptr && !baseline->reason.empty())
        fmt::print("{:<20}   {}\n", "", baseline->reason);
    }
  }
  fmt::print(
      "Times: medians of device time with launches hidden. Over eager: how "
      "much faster,\nmeasured in alternation on the same inputs.\n");
}

// What failed does not say which TF32 it had.
bool Replaces(const Baseline& a, const Baseline& known) {
  return (a.tf32 == known.tf32 || known.tf32.empty()) &&
         a.problem_hash == known.problem_hash && a.mode == known.mode &&
         a.size == known.size && a.precision == known.precision &&
         a.device.name == known.device.name &&
         a.device.driver == known.device.driver &&
         a.device.torch == known.device.torch;
}

// Keeps a file beside the store, written anew with each baseline, so that it is
// whole after any end.
class FileKeeper : public eval::BaselineObserver {
 public:
  FileKeeper(std::string path, eval::BaselineObserver* next)
      : path_(std::move(path)), next_(next) {}

  Result<void> Read() {
    std::error_code error;
    if (path_.empty() || !fs::exists(path_, error)) return base::Ok();
    KB_ASSIGN(baselines_, run::ReadBaselineFile(path_));
    return base::Ok();
  }
  const std::vector<Baseline>& baselines() const { return baselines_; }

  Result<void> Keep(const std::vector<Baseline>& more) {
    if (path_.empty()) return base::Ok();
    for (const Baseline& baseline : more) Put(baseline);
    return run::WriteBaselineFile(path_, baselines_);
  }

  void OnStep(size_t index, size_t of, const std::string& problem_id,
              BaselineMode mode, const std::string& step) override {
    next_->OnStep(index, of, problem_id, mode, step);
  }
  Result<void> OnMeasured(size_t index, size_t of,
                          const Baseline& baseline) override {
    KB_TRY(Keep({baseline}));
    return next_->OnMeasured(index, of, baseline);
  }
  void OnFailed(size_t index, size_t of, const Baseline& baseline) override {
    next_->OnFailed(index, of, baseline);
  }

 private:
  void Put(const Baseline& baseline) {
    std::erase_if(baselines_, [&](const Baseline& known) {
      return Replaces(baseline, known);
    });
    baselines_.push_back(baseline);
  }

  std::string path_;
  eval::BaselineObserver* next_;
  std::vector<Baseline> baselines_;
};

// Fails when something in `folder` belongs to another than `user`: PyTorch
// could not write beside it, and would say so as a fault of the reference.
Result<void> CheckOwner(const std::string& folder, uint32_t user) {
  std::error_code error;
  fs::recursive_directory_iterator entry(folder, error);
  for (; !error && entry != fs::recursive_directory_iterator();
       entry.increment(error)) {
    struct stat status{};
    if (::lstat(entry->path().c_str(), &status) != 0 || status.st_uid == user)
      continue;
    return base::Fail(
        "--compiled: {} belongs to user {}, and user {} writes there: "
        "`chown -R {}:{} {}`, or name another folder",
        entry->path().string(), status.st_uid, user, user, user, folder);
  }
  if (error) return base::Fail("--compiled {}: {}", folder, error.message());
  return base::Ok();
}

// One of ours in the folder that somebody names, since the user of the jails
// comes to own it and writes there.
Result<std::string> CompiledIn(const std::string& folder,
                               jail::Isolation isolation) {
  if (folder.empty()) return std::string();
  std::error_code error;
  const fs::path path = fs::absolute(folder, error).lexically_normal();
  if (error) return base::Fail("--compiled {}: {}", folder, error.message());
  std::string own = (path / "kernelbench_compiled").string();
  KB_TRY(os::MakeDirectories(own));
  KB_TRY(CheckOwner(own, jail::OwnerOfWritten(isolation)));
  return own;
}

Result<ExitCode> CompareFiles(const BaselineOptions& options) {
  KB_ASSIGN(const auto first, run::ReadBaselineFile(options.compare.front()));
  KB_ASSIGN(const auto second, run::ReadBaselineFile(options.compare.back()));
  const analysis::BaselineComparison found = analysis::Compare(first, second);
  if (options.judge.json) {
    Json json = analysis::ToJson(found);
    json["version"] = KB_VERSION;
    fmt::print("{}\n", base::DumpJson(
                           record::Document("baseline_comparison", json), 2));
  } else {
    fmt::print("{}", analysis::ToText(found));
  }
  return found.modes.empty() ? ExitCode::kNo : ExitCode::kDone;
}

void NoteWithoutFla(const Workplace& workplace,
                    const std::vector<BaselineMode>& modes,
                    const std::set<std::string>& with_fla) {
  if (std::ranges::find(modes, BaselineMode::kFla) == modes.end()) return;
  if (with_fla.empty() && modes.size() == 1)
    os::Note(
        "nothing to measure: none of these problems has a baseline of "
        "flash-linear-attention");
  else if (!with_fla.empty() && !workplace::HasFla(workplace))
    os::Note(workplace::kNoFla);
}

Result<ExitCode> Run(const BaselineOptions& options) {
  if (!options.compare.empty()) return CompareFiles(options);
  KB_ASSIGN(const std::vector<BaselineMode> modes,
            eval::ParseBaselineModes(options.modes));
  RunProfile profile;
  KB_ASSIGN(eval::Profile* const profiled, profile.Begin(options.profile_run));
  KB_ASSIGN(Workplace workplace, workplace::SetUp(options.judge));
  workplace.session.profile = profiled;
  KB_ASSIGN(
      const std::vector<problems::Entry> entries,
      workplace::SelectedAt(workplace.size, workplace.pack, options.selection));
  std::vector<record::Problem> problems;
  std::set<std::string> with_fla;
  for (const problems::Entry& entry : entries) {
    KB_ASSIGN(auto problem, workplace.pack.Load(entry.id, workplace.size,
                                                workplace.fit_bytes));
    if (!problem.fla.empty()) with_fla.insert(problem.id);
    problems.push_back(std::move(problem));
  }
  NoteWithoutFla(workplace, modes, with_fla);
  std::string path = options.judge.store;
  if (path.empty()) {
    KB_ASSIGN(path, run::BaselineStorePath());
  }
  KB_ASSIGN(store::Store store, store::Store::Open(path));
  const os::StopOnSignal signals;
  eval::BaselinePlan plan;
  plan.modes = modes;
  plan.precision = workplace.precision;
  plan.policy = workplace.policy;
  plan.limit = options.limit;
  plan.compile_ahead = static_cast<size_t>(options.compile_ahead);
  KB_ASSIGN(plan.compiled, CompiledIn(options.compiled,
                                      workplace.session.lanes.at(0).isolation));
  if (!options.again) {
    KB_ASSIGN(plan.known, store.Baselines());
  }
  workplace::BaselineProgress progress;
  FileKeeper keeper(options.file, &progress);
  KB_TRY(keeper.Read());
  if (!options.again)
    plan.known.insert(plan.known.end(), keeper.baselines().begin(),
                      keeper.baselines().end());
  if (options.again_failed)
    std::erase_if(plan.known, [](const Baseline& b) { return !b.time; });
  const auto baselines =
      run::MeasureMissing(problems, plan, workplace.compiler, workplace.session,
                          &store, &keeper, signals.token());
  Result<void> profile_written = profile.End();
  if (signals.token().stop_requested()) {
    fmt::print(stderr, "interrupted; the same command goes on\n");
    for (const std::string& step : progress.Underway())
      fmt::print(stderr, "  was under way: {}\n", step);
    return ExitCode::kInterrupted;
  }
  if (!baselines) return base::Propagate(baselines.error());
  KB_TRY(keeper.Keep(*baselines));
  KB_TRY(std::move(profile_written));
  if (!options.out.empty()) {
    KB_ASSIGN(const auto written, run::WriteOriginalBaselines(
                                      *baselines, workplace.pack, options.out));
    for (const std::string& file : written)
      fmt::print(options.judge.json ? stderr : stdout, "{}\n", file);
  }
  if (options.judge.json) {
    fmt::print("{}\n", base::DumpJson(run::BaselineDocument(*baselines), 2));
  } else if (!baselines->empty()) {
    PrintTable(*baselines, modes, with_fla);
    os::Note("kept in " + path);
    if (!options.file.empty()) os::Note("and in " + options.file);
  }
  if (progress.failed() == 0) return ExitCode::kDone;
  fmt::print(stderr,
             "kernelbench: {} not measured, a failure of ours; the same "
             "command measures what is missing\n",
             html::CountOf(progress.failed(), "baseline"));
  return ExitCode::kOurFailure;
}

}  // namespace

void AddBaseline(Command* program, BaselineOptions* options, Call* call) {
  Command* baseline = program->AddCommand(
      "baseline", "time the references: eager and torch.compile");
  baseline->Footer(
      "example:\n  kernelbench baseline --level 1 --mode eager,compile\n"
      "  kernelbench baseline --mode all --file h200.json\n"
      "  kernelbench baseline --compare h100.json h200.json\n\nOnly what "
      "is not known for this device, driver and torch is measured.");
  AddSelection(baseline, &options->selection);
  baseline
      ->Add("--mode", &options->modes, record::BaselineModeNames() + ", all")
      .SplitAt(',')
      .ShowDefault();
  baseline->AddFlag("--again", &options->again, "measure what is known, too");
  baseline->AddFlag("--again-failed", &options->again_failed,
                    "measure again what has no time, say with a larger limit");
  baseline->Add("--limit", &options->limit, "seconds for one mode").Positive();
  baseline
      ->Add("--compile-ahead", &options->compile_ahead,
            "problems that PyTorch compiles at once on a GPU before it times "
            "them")
      .Between(int64_t{1}, int64_t{64});
  baseline->Add("--compiled", &options->compiled,
                "folder in which what PyTorch compiles stays for the next "
                "command");
  baseline->Add("--file", &options->file,
                "JSON file that keeps the times as well, to carry and "
                "to compare; what it has is not measured again");
  baseline
      ->Add("--compare", &options->compare,
            "measure nothing: two such files, mode by mode")
      .Expect(2);
  baseline->Add("--out", &options->out,
                "folder for the original's baseline files");
  options->judge.several_devices = true;
  AddJudgeOptions(baseline, &options->judge);
  AddProfileRun(baseline, &options->profile_run);
  Means(baseline, call, options, Run);
}

}  // namespace kb::cli
