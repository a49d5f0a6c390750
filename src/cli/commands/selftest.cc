#include "commands/selftest.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/json.h"
#include "eval/session.h"
#include "html/format.h"
#include "record/document.h"
#include "shared_options.h"
#include "stats/summary.h"
#include "workplace/selection.h"
#include "workplace/workplace.h"

namespace kb::cli {
namespace {

using base::Json;
using base::Result;
using record::Evaluation;
using workplace::Workplace;

// What an operator can rely on (docs/timing.md): a GPU's times to the per
// mille, those of a shared cpu roughly, each with an interval that says so.
struct Bounds {
  double median = 0;  // of |log ratio|
  double p90 = 0;
  double worst = 0;
  double within = 0;  // share of intervals that contain 1
  // Of the mean log ratio, unless chance explains it: errors that go one way
  // are small beside those of one problem, and favour a side.
  double bias = 0;
};
Bounds BoundsFor(bool cuda) {
  return cuda ? Bounds{0.003, 0.01, 0.03, 0.9, 0.002}
              : Bounds{0.05, 0.2, 0.5, 0.8, 0.03};
}

// One problem's reference against itself.
struct Line {
  std::string id;
  const Evaluation* evaluation = nullptr;  // null: none was made
  bool measured() const {
    return evaluation != nullptr && evaluation->speedup.has_value();
  }
  double log_ratio() const { return std::log(speedup().estimate); }
  bool within() const { return speedup().low <= 1 && speedup().high >= 1; }
  const record::Interval& speedup() const { return *evaluation->speedup; }
};

struct Summary {
  int64_t measured = 0;
  int64_t failed = 0;
  double median = 0, p90 = 0, worst = 0, within = 0;
  double mean = 0, mean_error = 0;  // of the log ratio, and its standard error
};

Summary Summarize(const std::vector<Line>& lines) {
  Summary summary;
  std::vector<double> ratios, errors;
  for (const Line& line : lines) {
    if (!line.measured()) {
      ++summary.failed;
      continue;
    }
    ratios.push_back(line.log_ratio());
    errors.push_back(std::fabs(ratios.back()));
    summary.within += line.within() ? 1 : 0;
  }
  summary.measured = static_cast<int64_t>(errors.size());
  if (errors.empty()) return summary;
  summary.median = stats::Median(errors);
  summary.p90 = stats::Quantile(errors, 0.9);
  summary.worst = stats::Quantile(errors, 1);
  const auto count = static_cast<double>(errors.size());
  summary.within /= count;
  const stats::Summary both_ways = stats::Summarize(ratios);
  summary.mean = both_ways.mean;
  summary.mean_error = both_ways.stddev / std::sqrt(count);
  return summary;
}

// Three standard errors, which fewer problems exceed by chance.
bool LeansToOneSide(const Summary& summary, const Bounds& bounds) {
  constexpr int64_t kLeast = 10;
  return summary.measured >= kLeast &&
         std::fabs(summary.mean) >
             std::max(bounds.bias, 3 * summary.mean_error);
}

bool IsStraight(const Summary& summary, const Bounds& bounds) {
  return summary.failed == 0 && summary.median <= bounds.median &&
         summary.p90 <= bounds.p90 && summary.worst <= bounds.worst &&
         summary.within >= bounds.within && !LeansToOneSide(summary, bounds);
}

void PrintLine(const Line& line) {
  if (!line.measured()) {
    const std::string why =
        line.evaluation == nullptr ? "not judged" : line.evaluation->reason;
    fmt::print("{:<16} {}\n", line.id, why);
    return;
  }
  const Evaluation& e = *line.evaluation;
  const record::Interval& s = *e.speedup;
  fmt::print(
      "{:<16} {:>9} {:>7.4f} [{:.4f}, {:.4f}] {:<3} {:>7} {:>6} {:>9.1f}  {}\n",
      line.id, html::FormatTime(e.reference_time->median), s.estimate, s.low,
      s.high, line.within() ? "yes" : "no", e.ruler->calls,
      e.reference_time->count, e.ruler->constant_us,
      e.ruler->gated ? "" : "not gated");
}

void PrintTable(const std::vector<Line>& lines, const Summary& summary,
                const Bounds& bounds) {
  fmt::print("{:<16} {:>9} {:>7} {:<16} {:<3} {:>7} {:>6} {:>9}\n", "problem",
             "a call", "ratio", "95 % interval", "1?", "calls", "rounds",
             "constant");
  for (const Line& line : lines) PrintLine(line);
  fmt::print(
      "\nEach reference as its own candidate: the true ratio is 1.\n"
      "|log ratio|: median {:.4f} (at most {}), nine in ten below {:.4f} ({}), "
      "worst {:.4f} ({})\nmean log ratio: {:+.4f} +- {:.4f} (at most {}, or "
      "three times its error)\nintervals that contain 1: {:.0f} % (at least "
      "{:.0f} "
      "%), of {} problems; {} failed\n{}\n",
      summary.median, bounds.median, summary.p90, bounds.p90, summary.worst,
      bounds.worst, summary.mean, summary.mean_error, bounds.bias,
      100 * summary.within, 100 * bounds.within, summary.measured,
      summary.failed,
      IsStraight(summary, bounds) ? "The ruler is straight."
                                  : "The ruler is NOT straight here.");
}

Json ToJson(const std::vector<Line>& lines, const Summary& summary,
            const Bounds& bounds) {
  Json list = Json::array();
  for (const Line& line : lines)
    list.push_back({{"problem", line.id},
                    {"evaluation", line.evaluation == nullptr
                                       ? Json(nullptr)
                                       : record::ToJson(*line.evaluation)}});
  return {{"version", KB_VERSION},
          {"mean", summary.mean},
          {"mean_error", summary.mean_error},
          {"median", summary.median},
          {"p90", summary.p90},
          {"worst", summary.worst},
          {"within", summary.within},
          {"measured", summary.measured},
          {"failed", summary.failed},
          {"straight", IsStraight(summary, bounds)},
          {"problems", list}};
}

// Those of the samples: of every kind, and few.
std::vector<std::string> FewProblems() {
  return {"level1/1",  "level1/4",  "level1/19", "level1/23", "level1/26",
          "level1/36", "level1/40", "level1/47", "level1/51", "level1/89",
          "level1/95", "level2/1",  "level2/12", "level3/43"};
}

Result<ExitCode> Run(const SelftestOptions& said) {
  SelftestOptions options = said;
  workplace::SelectionOptions& selection = options.selection;
  if (selection.problems.empty() && selection.levels.empty() &&
      selection.select.empty())
    selection.problems = FewProblems();
  KB_ASSIGN(const Workplace workplace, workplace::SetUp(options.judge));
  KB_ASSIGN(const auto entries, workplace::Selected(workplace.pack, selection));
  std::vector<eval::Task> tasks;
  for (const problems::Entry& entry : entries) {
    KB_ASSIGN(const auto problem, workplace.pack.Load(entry.id, workplace.size,
                                                      workplace.fit_bytes));
    const record::Precision precision = problem.Supports(workplace.precision)
                                            ? workplace.precision
                                            : problem.precisions.front();
    tasks.push_back(eval::ReferenceTask(
        problem, precision, problem.Adjusted(workplace.policy, precision),
        "eager"));
  }
  const workplace::Judged judged =
      workplace::Judge(tasks, workplace, options.judge.store);
  std::vector<Line> lines;
  for (size_t i = 0; i < tasks.size(); ++i) {
    const auto& evaluation = judged.evaluations.at(i);
    lines.push_back({tasks[i].problem.id, evaluation ? &*evaluation : nullptr});
  }
  const Bounds bounds = BoundsFor(workplace.device_kind == "cuda");
  const Summary summary = Summarize(lines);
  if (options.judge.json)
    fmt::print(
        "{}\n",
        base::DumpJson(
            record::Document("selftest", ToJson(lines, summary, bounds)), 2));
  else
    PrintTable(lines, summary, bounds);
  if (judged.interrupted) fmt::print(stderr, "interrupted\n");
  if (judged.interrupted || judged.error) return workplace::ExitCodeOf(judged);
  return IsStraight(summary, bounds) ? ExitCode::kDone : ExitCode::kNo;
}

}  // namespace

void AddSelftest(CLI::App* program, SelftestOptions* options, Call* call) {
  CLI::App* selftest =
      program->add_subcommand("selftest", "what can be relied on here");
  selftest->require_subcommand(1);
  CLI::App* timing = selftest->add_subcommand(
      "timing", "references as their own candidates: is the ruler straight?");
  timing->footer(
      "example:\n  kernelbench selftest timing --level 1 --size full\n\nexit "
      "code: 0 the ruler is straight, 1 it is not, 2 wrong usage, 3 our "
      "failure");
  AddSelection(timing, &options->selection);
  AddJudgeOptions(timing, &options->judge);
  Means(timing, call, options, Run);
}

}  // namespace kb::cli
