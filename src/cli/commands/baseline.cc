#include "commands/baseline.h"

#include <fmt/format.h>

#include <filesystem>
#include <map>
#include <utility>

#include "base/json.h"
#include "html/format.h"
#include "os/stop_on_signal.h"
#include "record/baseline.h"
#include "record/document.h"
#include "run/baselines.h"
#include "run/files.h"
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
  return html::FormatRatio(baseline->eager->median / baseline->time->median);
}

void PrintTable(const std::vector<Baseline>& baselines,
                const std::vector<BaselineMode>& modes) {
  std::map<std::string, std::map<BaselineMode, const Baseline*>> problems;
  std::vector<std::string> order;
  for (const Baseline& baseline : baselines) {
    if (!problems.contains(baseline.problem_id))
      order.push_back(baseline.problem_id);
    problems[baseline.problem_id][baseline.mode] = &baseline;
  }
  fmt::print("{:<20} {:<36} {:>10} {:>11}\n", "problem", "mode", "time",
             "over eager");
  for (const std::string& id : order) {
    std::string head = id;
    for (const BaselineMode mode : modes) {
      const Baseline* baseline = problems[id][mode];
      fmt::print("{:<20} {:<36} {:>10} {:>11}\n", std::exchange(head, ""),
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

Result<ExitCode> Run(const BaselineOptions& options) {
  KB_ASSIGN(const std::vector<BaselineMode> modes,
            eval::ParseBaselineModes(options.modes));
  KB_ASSIGN(const Workplace workplace, workplace::SetUp(options.judge));
  KB_ASSIGN(const std::vector<problems::Entry> entries,
            workplace::Selected(workplace.pack, options.selection));
  std::vector<record::Problem> problems;
  for (const problems::Entry& entry : entries) {
    KB_ASSIGN(auto problem, workplace.pack.Load(entry.id, workplace.size,
                                                workplace.fit_bytes));
    problems.push_back(std::move(problem));
  }
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
  if (!options.again) {
    KB_ASSIGN(plan.known, store.Baselines());
  }
  workplace::BaselineProgress progress;
  const auto baselines =
      run::MeasureMissing(problems, plan, workplace.compiler, workplace.session,
                          &store, &progress, signals.token());
  if (signals.token().stop_requested()) {
    fmt::print(stderr, "interrupted; the same command goes on\n");
    return ExitCode::kInterrupted;
  }
  if (!baselines) return base::Propagate(baselines.error());
  if (!options.out.empty()) {
    KB_ASSIGN(const auto written, run::WriteOriginalBaselines(
                                      *baselines, workplace.pack, options.out));
    for (const std::string& file : written) fmt::print("{}\n", file);
  }
  if (options.judge.json) {
    Json list = Json::array();
    for (const Baseline& baseline : *baselines)
      list.push_back(record::ToJson(baseline));
    fmt::print("{}\n", base::DumpJson(record::Document("baselines",
                                                       {{"version", KB_VERSION},
                                                        {"baselines", list}}),
                                      2));
    return ExitCode::kDone;
  }
  PrintTable(*baselines, modes);
  fmt::print("kept in {}\n", path);
  return ExitCode::kDone;
}

}  // namespace

void AddBaseline(CLI::App* program, BaselineOptions* options, Call* call) {
  CLI::App* baseline = program->add_subcommand(
      "baseline", "time the references: eager and torch.compile");
  baseline->footer(
      "example:\n  kernelbench baseline --level 1 --mode eager,compile\n\nOnly "
      "what is not known for this device, driver and torch is measured.");
  AddSelection(baseline, &options->selection);
  baseline
      ->add_option("--mode", options->modes,
                   record::BaselineModeNames() + ", all")
      ->delimiter(',')
      ->capture_default_str();
  baseline->add_flag("--again", options->again, "measure what is known, too");
  baseline->add_option("--limit", options->limit, "seconds for one mode")
      ->check(CLI::PositiveNumber);
  baseline->add_option("--out", options->out,
                       "folder for the original's baseline files");
  AddJudgeOptions(baseline, &options->judge);
  Means(baseline, call, options, Run);
}

}  // namespace kb::cli
