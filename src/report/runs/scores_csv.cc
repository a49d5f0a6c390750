#include <fmt/format.h>

#include <string>

#include "report/scores.h"
#include "scope.h"

namespace kb::report {
namespace {

using analysis::Row;

// A field of CSV (RFC 4180).
std::string Field(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? "\"\"" : std::string(1, c);
  return quoted + "\"";
}

// The lines of a row: a metric each.
class CsvRow {
 public:
  CsvRow(const Row& row, Scope scope)
      : row_(row),
        place_(fmt::format("{},{},{}", Field(row.run), Field(row.group),
                           ScopeName(scope))) {}

  std::string Take(const analysis::ScoreOptions& options) {
    for (size_t i = 0; i < options.ps.size(); ++i)
      Add(fmt::format("fast_{}", options.ps[i]), row_.fast[i], row_.problems,
          row_.fast_upper[i]);
    for (const analysis::BestOfK& best : row_.of_k) AddBest(best, options);
    Add("compiled", row_.compiled, row_.problems);
    Add("geometric_mean_speedup_of_correct", row_.speedup,
        row_.problems_with_speedup);
    Add("geometric_mean_wall_speedup_of_correct", row_.wall_speedup,
        row_.problems_with_wall_speedup);
    Add("geometric_mean_speedup_of_faster", row_.speedup_of_faster);
    Add("geometric_mean_speedup_of_all_or_1", row_.speedup_of_all,
        row_.problems);
    Add("share_of_roofline", row_.roofline);
    Add("sol_score", row_.sol_score);
    Add("own_share", row_.own_share);
    Add("seconds_to_first_correct", row_.seconds_to_correct);
    Add("usd", row_.usd);
    Add("usd_per_correct", row_.usd_per_correct);
    Add("usd_per_fast", row_.usd_per_fast);
    return std::move(text_);
  }

 private:
  // `problems`: of which the figure is.
  void Add(const std::string& metric,
           const std::optional<stats::Interval>& value, int64_t problems,
           std::optional<double> upper = {}) {
    if (!value) return;
    text_ += fmt::format("{},{},{},{},{},{},{}\n", place_, problems,
                         row_.samples, metric, value->estimate,
                         problems < analysis::kLeastProblems
                             ? ","
                             : fmt::format("{},{}", value->low, value->high),
                         upper ? fmt::format("{}", *upper) : "");
  }
  void Add(const std::string& metric, const analysis::Partial& figure) {
    Add(metric, figure.value, figure.problems);
  }
  void Add(const std::string& metric, std::optional<double> value) {
    if (value)
      Add(metric, stats::Interval{*value, *value, *value}, row_.problems);
  }

  void AddBest(const analysis::BestOfK& best,
               const analysis::ScoreOptions& options) {
    Add(fmt::format("pass@{}", best.k), best.pass, best.problems,
        best.pass_upper);
    for (size_t i = 0; i < options.ps.size(); ++i)
      Add(fmt::format("fast_{}@{}", options.ps[i], best.k), best.fast[i],
          best.problems, best.fast_upper[i]);
    Add(fmt::format("geometric_mean_speedup_or_1_of_best_of_{}", best.k),
        best.speedup, best.problems);
  }

  const Row& row_;
  const std::string place_;
  std::string text_;
};

}  // namespace

std::string ScoresCsv(const analysis::TwoScores& scores,
                      const analysis::ScoreOptions& options) {
  std::string text =
      "run,group,scope,problems,samples,metric,estimate,low,high,upper\n";
  for (const Row& row : scores.all.rows)
    text += CsvRow(row, Scope::kAll).Take(options);
  for (const Row& row : scores.sound.rows)
    text += CsvRow(row, Scope::kSound).Take(options);
  return text;
}

}  // namespace kb::report
