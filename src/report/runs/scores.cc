#include "report/scores.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "analysis/rulers.h"
#include "base/json.h"
#include "html/html.h"

namespace kb::report {
namespace {

using analysis::Row;
using analysis::Scores;
using base::Json;

// "0.42 [0.31, 0.53]"
std::string Text(const stats::Interval& interval) {
  return fmt::format("{:.3f} [{:.3f}, {:.3f}]", interval.estimate, interval.low,
                     interval.high);
}

std::string Text(const std::optional<stats::Interval>& interval) {
  return interval ? Text(*interval) : "-";
}

std::string CountOf(int64_t count, const char* noun) {
  return html::CountOf(static_cast<size_t>(count), noun);
}

std::string LabelOf(const Row& row) {
  return row.group.empty() ? row.run : row.run + " " + row.group;
}

std::string VerdictsOf(const Row& row) {
  std::vector<std::string> verdicts;
  for (const auto& [verdict, count] : row.verdicts)
    verdicts.push_back(
        fmt::format("{} {}", count, record::VerdictName(verdict)));
  for (const auto& [status, count] : row.unusable)
    verdicts.push_back(
        fmt::format("{} {}", count, record::GenerationStatusName(status)));
  return fmt::format("{}", fmt::join(verdicts, ", "));
}

std::string RowText(const Row& row, const analysis::ScoreOptions& options,
                    const ScoreRemarks& remarks) {
  std::string text = fmt::format("{}: {}, {}\n", LabelOf(row),
                                 CountOf(row.problems, "problem"),
                                 CountOf(row.samples, "sample"));
  for (size_t i = 0; i < options.ps.size(); ++i)
    text +=
        fmt::format("  {:<22} {}\n",
                    options.ps[i] == 0 ? "fast_0 (correct)"
                                       : fmt::format("fast_{}", options.ps[i]),
                    Text(row.fast[i]));
  for (size_t i = 0; i < options.ks.size(); ++i) {
    const int64_t k = options.ks[i];
    if (k == 1) continue;  // the same as fast_p
    text += fmt::format("  {:<22} {}\n", fmt::format("pass@{}", k),
                        Text(row.pass[i]));
    text += fmt::format("  {:<22} {}\n",
                        fmt::format("fast_{}@{}", options.best_of_p, k),
                        Text(row.best[i]));
  }
  text += fmt::format("  {:<22} {}\n", "compiles", Text(row.compiled));
  text += fmt::format("  {:<22} {}\n",
                      fmt::format("speedup of {} correct", row.with_speedup),
                      Text(row.speedup));
  if (row.wall_speedup)
    text +=
        fmt::format("  {:<22} {}{}\n", "by wall time", Text(row.wall_speedup),
                    remarks.baseline == "eager" ? "" : " over eager");
  text += fmt::format("  {:<22} {}\n", "verdicts", VerdictsOf(row));
  if (row.roofline)
    text += fmt::format("  {:<22} {}\n", "of roofline", Text(*row.roofline));
  if (row.above_roofline > 0)
    text += fmt::format("  {:<22} {}, which cannot have done the work\n",
                        "above the roofline",
                        CountOf(row.above_roofline, "sample"));
  if (row.usd && *row.usd > 0)
    text += fmt::format(
        "  {:<22} {:.4g} USD{}\n", "cost", *row.usd,
        row.usd_per_correct
            ? fmt::format(", {:.4g} for a correct kernel", *row.usd_per_correct)
            : "");
  return text;
}

}  // namespace

ScoreRemarks RemarksOf(const analysis::RunReading& reading) {
  return {record::BaselineModeName(reading.baseline), reading.without_baseline,
          reading.ruler, reading.foreign};
}

std::string ScoresText(const Scores& scores,
                       const analysis::ScoreOptions& options,
                       const ScoreRemarks& remarks) {
  const std::string of_ruler = analysis::RulerRemark(remarks.ruler);
  std::string text = of_ruler.empty() ? "" : of_ruler + "\n";
  for (const Row& row : scores.rows) text += RowText(row, options, remarks);
  for (const analysis::Pairing& pairing : scores.pairings) {
    const analysis::Comparison& found = pairing.comparison;
    text += fmt::format(
        "{} against {}, fast_{}: {:+.3f} [{:+.3f}, {:+.3f}], p = {:.3g}, "
        "better on {} and worse on {} of {} problems\n",
        pairing.first, pairing.second, pairing.p, found.difference.estimate,
        found.difference.low, found.difference.high, found.p_value,
        found.better, found.worse, found.problems);
  }
  if (scores.flagged > 0)
    text += fmt::format("not counted: {} of {} (--with-flagged)\n",
                        CountOf(scores.flagged, "sample"),
                        CountOf(scores.flagged_problems, "flagged problem"));
  if (scores.not_run > 0)
    text += fmt::format("not counted: {} that cannot run on the device\n",
                        CountOf(scores.not_run, "sample"));
  if (scores.infra_errors > 0)
    text += fmt::format("not counted: {} that our own failure left unjudged\n",
                        CountOf(scores.infra_errors, "sample"));
  if (remarks.without_baseline > 0)
    text += fmt::format("not counted: {} without a time of the baseline\n",
                        CountOf(remarks.without_baseline, "sample"));
  if (remarks.foreign > 0)
    text += fmt::format(
        "imported, not measured by a ruler of ours: {} with a speedup\n",
        CountOf(remarks.foreign, "sample"));
  if (scores.rows.empty()) {
    return text +
           "no sample to score; kernelbench run judges what a model answered\n";
  }
  return text +
         fmt::format(
             "Intervals: 95 % bootstrap over problems. Speedups: over PyTorch "
             "{}, "
             "geometric mean of correct samples only. fast_p: by {} time.\n",
             remarks.baseline, analysis::TimeName(options.time));
}

namespace {

Json OrNull(const std::optional<double>& value) {
  return value ? Json(*value) : Json(nullptr);
}

Json ToJson(const std::optional<stats::Interval>& interval) {
  if (!interval) return nullptr;
  return {{"estimate", interval->estimate},
          {"low", interval->low},
          {"high", interval->high}};
}

Json ToJson(const Row& row, const analysis::ScoreOptions& options) {
  Json fast = Json::array(), best = Json::array(), verdicts = Json::object();
  for (size_t i = 0; i < options.ps.size(); ++i)
    fast.push_back({{"p", options.ps[i]}, {"value", ToJson(row.fast[i])}});
  for (size_t i = 0; i < options.ks.size(); ++i)
    best.push_back({{"k", options.ks[i]},
                    {"pass", ToJson(row.pass[i])},
                    {"p", options.best_of_p},
                    {"fast", ToJson(row.best[i])}});
  for (const auto& [verdict, count] : row.verdicts)
    verdicts[record::VerdictName(verdict)] = count;
  for (const auto& [status, count] : row.unusable)
    verdicts[record::GenerationStatusName(status)] = count;
  return {{"run", row.run},
          {"group", row.group},
          {"problems", row.problems},
          {"samples", row.samples},
          {"fast_p", fast},
          {"best_of_k", best},
          {"compiled", ToJson(row.compiled)},
          {"geometric_mean_speedup_of_correct", ToJson(row.speedup)},
          {"geometric_mean_wall_speedup_of_correct", ToJson(row.wall_speedup)},
          {"samples_with_speedup", row.with_speedup},
          {"verdicts", verdicts},
          {"share_of_roofline", ToJson(row.roofline)},
          {"above_roofline", row.above_roofline},
          {"usd", OrNull(row.usd)},
          {"usd_per_correct", OrNull(row.usd_per_correct)}};
}

}  // namespace

std::string ScoresJson(const Scores& scores,
                       const analysis::ScoreOptions& options,
                       const ScoreRemarks& remarks) {
  Json rows = Json::array(), pairings = Json::array();
  for (const Row& row : scores.rows) rows.push_back(ToJson(row, options));
  for (const analysis::Pairing& pairing : scores.pairings)
    pairings.push_back({{"first", pairing.first},
                        {"second", pairing.second},
                        {"p", pairing.p},
                        {"difference", ToJson(pairing.comparison.difference)},
                        {"p_value", pairing.comparison.p_value},
                        {"problems", pairing.comparison.problems},
                        {"better", pairing.comparison.better},
                        {"worse", pairing.comparison.worse}});
  return base::DumpJson({{"baseline", remarks.baseline},
                         {"time", analysis::TimeName(options.time)},
                         {"ruler", remarks.ruler},
                         {"imported_speedups", remarks.foreign},
                         {"rows", rows},
                         {"pairings", pairings},
                         {"not_counted",
                          {{"flagged", scores.flagged},
                           {"not_run", scores.not_run},
                           {"infra_error", scores.infra_errors},
                           {"without_baseline", remarks.without_baseline}}}},
                        2);
}

namespace {

// A field of CSV (RFC 4180).
std::string Field(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? "\"\"" : std::string(1, c);
  return quoted + "\"";
}

}  // namespace

std::string ScoresCsv(const Scores& scores,
                      const analysis::ScoreOptions& options) {
  std::string text = "run,group,problems,samples,metric,estimate,low,high\n";
  for (const Row& row : scores.rows) {
    const auto line = [&](const std::string& metric,
                          const std::optional<stats::Interval>& value) {
      if (value)
        text += fmt::format("{},{},{},{},{},{},{},{}\n", Field(row.run),
                            Field(row.group), row.problems, row.samples, metric,
                            value->estimate, value->low, value->high);
    };
    for (size_t i = 0; i < options.ps.size(); ++i)
      line(fmt::format("fast_{}", options.ps[i]), row.fast[i]);
    for (size_t i = 0; i < options.ks.size(); ++i) {
      line(fmt::format("pass@{}", options.ks[i]), row.pass[i]);
      line(fmt::format("fast_{}@{}", options.best_of_p, options.ks[i]),
           row.best[i]);
    }
    line("compiled", row.compiled);
    line("geometric_mean_speedup_of_correct", row.speedup);
    line("geometric_mean_wall_speedup_of_correct", row.wall_speedup);
    line("share_of_roofline", row.roofline);
    const auto exact = [](double value) {
      return stats::Interval{value, value, value};
    };
    if (row.usd) line("usd", exact(*row.usd));
    if (row.usd_per_correct)
      line("usd_per_correct", exact(*row.usd_per_correct));
  }
  return text;
}

}  // namespace kb::report
