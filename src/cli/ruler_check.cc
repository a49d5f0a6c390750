#include "ruler_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "stats/summary.h"

namespace kb::cli::aa {

using base::Json;
using base::Result;

Bounds BoundsFor(bool cuda) {
  return cuda ? Bounds{0.003, 0.01, 0.03, 0.9, 0.002}
              : Bounds{0.05, 0.2, 0.5, 0.8, 0.03};
}

double Line::log_ratio() const { return std::log(speedup().estimate); }

bool Line::within() const { return speedup().low <= 1 && speedup().high >= 1; }

namespace {

std::optional<Summary::Wall> WallOf(const std::vector<Line>& lines) {
  std::vector<double> errors;
  double within = 0;
  for (const Line& line : lines) {
    if (!line.measured() || !line.evaluation->wall_speedup) continue;
    const record::Interval& wall = *line.evaluation->wall_speedup;
    errors.push_back(std::fabs(std::log(wall.estimate)));
    within += wall.low <= 1 && wall.high >= 1 ? 1 : 0;
  }
  if (errors.empty()) return std::nullopt;
  const auto count = static_cast<double>(errors.size());
  return Summary::Wall{stats::Median(errors), within / count};
}

}  // namespace

Summary Summarize(const std::vector<Line>& lines) {
  Summary summary;
  summary.wall = WallOf(lines);
  std::map<std::string, std::vector<double>> by_problem;
  int64_t intervals = 0;
  for (const Line& line : lines) {
    if (!line.measured()) {
      ++summary.failed;
      continue;
    }
    by_problem[line.id].push_back(line.log_ratio());
    ++intervals;
    summary.within += line.within() ? 1 : 0;
  }
  if (by_problem.empty()) return summary;
  std::vector<double> ratios, errors;
  for (const auto& [id, measured] : by_problem) {
    ratios.push_back(stats::Summarize(measured).mean);
    errors.push_back(std::fabs(ratios.back()));
    summary.measurements = std::max(summary.measurements, std::ssize(measured));
  }
  summary.measured = std::ssize(errors);
  summary.median = stats::Median(errors);
  summary.p90 = stats::Quantile(errors, 0.9);
  summary.worst = stats::Quantile(errors, 1);
  summary.within /= static_cast<double>(intervals);
  const stats::Summary both_ways = stats::Summarize(ratios);
  summary.mean = both_ways.mean;
  summary.mean_error =
      both_ways.stddev / std::sqrt(static_cast<double>(summary.measured));
  return summary;
}

namespace {

// Three standard errors, which fewer problems exceed by chance.
bool LeansToOneSide(const Summary& summary, const Bounds& bounds) {
  constexpr int64_t kLeast = 10;
  return summary.measured >= kLeast &&
         std::fabs(summary.mean) >
             std::max(bounds.bias, 3 * summary.mean_error);
}

}  // namespace

bool IsStraight(const Summary& summary, const Bounds& bounds) {
  return summary.failed == 0 && summary.median <= bounds.median &&
         summary.p90 <= bounds.p90 && summary.worst <= bounds.worst &&
         summary.within >= bounds.within && !LeansToOneSide(summary, bounds);
}

std::string Describe(const Summary& summary, const Bounds& bounds) {
  return fmt::format(
      "|log ratio|: median {:.4f} (at most {}), nine in ten below {:.4f} ({}), "
      "worst {:.4f} ({})\nmean log ratio: {:+.4f} +- {:.4f} (at most {}, or "
      "three times its error)\nintervals that contain 1: {:.0f} % (at least "
      "{:.0f} %), of {} problems{}; {} failed\n{}",
      summary.median, bounds.median, summary.p90, bounds.p90, summary.worst,
      bounds.worst, summary.mean, summary.mean_error, bounds.bias,
      100 * summary.within, 100 * bounds.within, summary.measured,
      summary.measurements > 1
          ? fmt::format(", each measured {} times", summary.measurements)
          : "",
      summary.failed,
      summary.wall
          ? fmt::format("wall time (told only): median {:.4f}, intervals that "
                        "contain 1: {:.0f} %\n",
                        summary.wall->median, 100 * summary.wall->within)
          : "");
}

Json ToJson(const Summary& summary, const Bounds& bounds) {
  return {{"mean", summary.mean},
          {"mean_error", summary.mean_error},
          {"median", summary.median},
          {"p90", summary.p90},
          {"worst", summary.worst},
          {"within", summary.within},
          {"measured", summary.measured},
          {"measurements", summary.measurements},
          {"failed", summary.failed},
          {"wall_median", summary.wall ? Json(summary.wall->median) : Json()},
          {"wall_within", summary.wall ? Json(summary.wall->within) : Json()},
          {"straight", IsStraight(summary, bounds)}};
}

std::vector<std::string> FewProblems() {
  return {"level1/1",  "level1/4",  "level1/19", "level1/23", "level1/26",
          "level1/36", "level1/40", "level1/47", "level1/51", "level1/89",
          "level1/95", "level2/1",  "level2/12", "level3/43"};
}

Result<std::vector<eval::Task>> Tasks(
    const workplace::Workplace& workplace,
    const std::vector<problems::Entry>& entries) {
  std::vector<eval::Task> tasks;
  for (const problems::Entry& entry : entries) {
    KB_ASSIGN(const auto problem, workplace.pack.Load(entry.id, workplace.size,
                                                      workplace.fit_bytes));
    const record::Precision precision = problem.In(workplace.precision);
    tasks.push_back(eval::ReferenceTask(
        problem, precision, problem.Adjusted(workplace.policy, precision),
        "eager"));
  }
  return tasks;
}

std::vector<Line> LinesOf(const std::vector<eval::Task>& tasks,
                          const workplace::Judged& judged) {
  std::vector<Line> lines;
  for (size_t i = 0; i < tasks.size(); ++i) {
    const auto& evaluation = judged.evaluations.at(i);
    lines.push_back({tasks[i].problem.id, evaluation ? &*evaluation : nullptr});
  }
  return lines;
}

}  // namespace kb::cli::aa
