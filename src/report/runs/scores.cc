#include "report/scores.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "analysis/rulers.h"
#include "base/json.h"
#include "html/html.h"
#include "record/document.h"

namespace kb::report {
namespace {

using analysis::Row;
using analysis::Scores;
using base::Json;

// "0.42 [0.31, 0.53]", or "0.42" of too few problems.
std::string Text(const stats::Interval& interval, int64_t problems) {
  if (problems < analysis::kLeastProblems)
    return fmt::format("{:.3f}", interval.estimate);
  return fmt::format("{:.3f} [{:.3f}, {:.3f}]", interval.estimate, interval.low,
                     interval.high);
}

std::string Text(const std::optional<stats::Interval>& interval,
                 int64_t problems) {
  return interval ? Text(*interval, problems) : "-";
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

// Which problems a row counts.
enum class Scope { kAll, kSound };

const char* ScopeName(Scope scope) {
  return scope == Scope::kAll ? "all" : "sound";
}

const char* AboutOf(Scope scope) {
  return scope == Scope::kAll ? "all problems (comparable with the paper)"
                              : "sound problems (no known weakness)";
}

std::string RowText(const Row& row, Scope scope,
                    const analysis::ScoreOptions& options,
                    const ScoreRemarks& remarks) {
  std::string text = fmt::format(
      "{}, {}: {}, {}\n", LabelOf(row), AboutOf(scope),
      CountOf(row.problems, "problem"), CountOf(row.samples, "sample"));
  const auto add = [&](const std::string& name, const std::string& value) {
    text += fmt::format("  {:<22} {}\n", name, value);
  };
  for (size_t i = 0; i < options.ps.size(); ++i)
    add(options.ps[i] == 0 ? "fast_0 (correct)"
                           : fmt::format("fast_{}", options.ps[i]),
        Text(row.fast[i], row.problems));
  for (size_t i = 0; i < options.ks.size(); ++i) {
    const int64_t k = options.ks[i];
    if (k == 1) continue;  // the same as fast_p
    add(fmt::format("pass@{}", k), Text(row.pass[i], row.problems));
    add(fmt::format("fast_{}@{}", options.best_of_p, k),
        Text(row.best[i], row.problems));
  }
  add("compiles", Text(row.compiled, row.problems));
  add(fmt::format("speedup of {} correct", row.with_speedup),
      Text(row.speedup, row.problems_with_speedup));
  if (row.wall_speedup)
    add("by wall time", Text(row.wall_speedup, row.problems_with_speedup) +
                            (remarks.baseline == "eager" ? "" : " over eager"));
  add("verdicts", VerdictsOf(row));
  if (row.roofline)
    add("of roofline",
        Text(*row.roofline, row.problems_with_speedup) +
            (row.by_data_sheet == 0
                 ? ""
                 : fmt::format(", {} by the data sheet",
                               CountOf(row.by_data_sheet, "sample"))));
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
          reading.ruler, reading.foreign, reading.superseded};
}

namespace {

// The rows of a run and group, those of all problems first.
std::string RowsText(const analysis::TwoScores& scores,
                     const analysis::ScoreOptions& options,
                     const ScoreRemarks& remarks) {
  std::string text;
  for (const Row& row : scores.all.rows) {
    text += RowText(row, Scope::kAll, options, remarks);
    const auto sound =
        std::ranges::find_if(scores.sound.rows, [&](const Row& other) {
          return other.run == row.run && other.group == row.group;
        });
    if (sound != scores.sound.rows.end() && sound->samples != row.samples)
      text += RowText(*sound, Scope::kSound, options, remarks);
    else
      text +=
          fmt::format("{}, {}: {}\n", LabelOf(row), AboutOf(Scope::kSound),
                      sound == scores.sound.rows.end() ? "none" : "the same");
  }
  return text;
}

std::string PairingsText(const Scores& scores, Scope scope) {
  std::string text;
  for (const analysis::Pairing& pairing : scores.pairings) {
    const analysis::Comparison& found = pairing.comparison;
    if (found.problems == 0) continue;
    text += fmt::format("{} against {}, {} problems, fast_{}: {:+.3f}",
                        pairing.first, pairing.second, ScopeName(scope),
                        pairing.p, found.difference.estimate);
    if (found.problems >= analysis::kLeastProblems)
      text += fmt::format(" [{:+.3f}, {:+.3f}]", found.difference.low,
                          found.difference.high);
    text += fmt::format(", p = {:.3g}, better on {} and worse on {} of {}\n",
                        found.p_value, found.better, found.worse,
                        CountOf(found.problems, "problem"));
  }
  return text;
}

// Two runs that have no problem in common are not compared, and that is said.
std::string UncomparedText(const Scores& scores) {
  std::string text;
  std::set<std::pair<std::string, std::string>> said;
  for (const analysis::Pairing& pairing : scores.pairings)
    if (pairing.comparison.problems == 0 &&
        said.emplace(pairing.first, pairing.second).second)
      text += fmt::format(
          "{} against {}: no problem in common (the same problem at another "
          "size or precision is another one)\n",
          pairing.first, pairing.second);
  return text;
}

std::string NotCountedText(const Scores& scores, const ScoreRemarks& remarks) {
  std::string text;
  if (scores.not_run > 0)
    text += fmt::format("not counted: {} that cannot run on the device\n",
                        CountOf(scores.not_run, "sample"));
  if (scores.infra_errors > 0)
    text += fmt::format("not counted: {} that our own failure left unjudged\n",
                        CountOf(scores.infra_errors, "sample"));
  if (remarks.without_baseline > 0)
    text += fmt::format("not counted: {} without a time of the baseline\n",
                        CountOf(remarks.without_baseline, "sample"));
  if (remarks.superseded > 0)
    text +=
        fmt::format("not counted: {} of samples that were judged again later\n",
                    CountOf(remarks.superseded, "result"));
  if (remarks.foreign > 0)
    text += fmt::format(
        "imported, not measured by a ruler of ours: {} with a speedup\n",
        CountOf(remarks.foreign, "sample"));
  return text;
}

}  // namespace

std::string ScoresText(const analysis::TwoScores& scores,
                       const analysis::ScoreOptions& options,
                       const ScoreRemarks& remarks) {
  const std::string of_ruler = analysis::RulerRemark(remarks.ruler);
  std::string text = of_ruler.empty() ? "" : of_ruler + "\n";
  text += RowsText(scores, options, remarks);
  text += PairingsText(scores.all, Scope::kAll);
  text += PairingsText(scores.sound, Scope::kSound);
  text += UncomparedText(scores.all);
  text += NotCountedText(scores.all, remarks);
  if (scores.all.rows.empty())
    return text +
           "no sample to score; kernelbench run judges what a model answered\n";
  return text +
         fmt::format(
             "Intervals: 95 % bootstrap over problems, none of fewer than {}. "
             "Speedups: over PyTorch {}, geometric mean of correct samples "
             "only. fast_p: by {} time.\n",
             analysis::kLeastProblems, remarks.baseline,
             analysis::TimeName(options.time));
}

namespace {

Json OrNull(const std::optional<double>& value) {
  return value ? Json(*value) : Json(nullptr);
}

// `low` and `high` are null of too few problems.
Json ToJson(const std::optional<stats::Interval>& interval, int64_t problems) {
  if (!interval) return nullptr;
  const bool enough = problems >= analysis::kLeastProblems;
  return {{"estimate", interval->estimate},
          {"low", enough ? Json(interval->low) : Json(nullptr)},
          {"high", enough ? Json(interval->high) : Json(nullptr)}};
}

Json ToJson(const Row& row, Scope scope,
            const analysis::ScoreOptions& options) {
  Json fast = Json::array(), best = Json::array(), verdicts = Json::object();
  for (size_t i = 0; i < options.ps.size(); ++i)
    fast.push_back(
        {{"p", options.ps[i]}, {"value", ToJson(row.fast[i], row.problems)}});
  for (size_t i = 0; i < options.ks.size(); ++i)
    best.push_back({{"k", options.ks[i]},
                    {"pass", ToJson(row.pass[i], row.problems)},
                    {"p", options.best_of_p},
                    {"fast", ToJson(row.best[i], row.problems)}});
  for (const auto& [verdict, count] : row.verdicts)
    verdicts[record::VerdictName(verdict)] = count;
  for (const auto& [status, count] : row.unusable)
    verdicts[record::GenerationStatusName(status)] = count;
  return {
      {"run", row.run},
      {"group", row.group},
      {"scope", ScopeName(scope)},
      {"problems", row.problems},
      {"samples", row.samples},
      {"fast_p", fast},
      {"best_of_k", best},
      {"compiled", ToJson(row.compiled, row.problems)},
      {"geometric_mean_speedup_of_correct",
       ToJson(row.speedup, row.problems_with_speedup)},
      {"geometric_mean_wall_speedup_of_correct",
       ToJson(row.wall_speedup, row.problems_with_speedup)},
      {"samples_with_speedup", row.with_speedup},
      {"verdicts", verdicts},
      {"share_of_roofline", ToJson(row.roofline, row.problems_with_speedup)},
      {"above_roofline", row.above_roofline},
      {"roofline_by_data_sheet", row.by_data_sheet},
      {"usd", OrNull(row.usd)},
      {"usd_per_correct", OrNull(row.usd_per_correct)}};
}

Json ToJson(const analysis::Pairing& pairing, Scope scope) {
  const analysis::Comparison& found = pairing.comparison;
  return {
      {"first", pairing.first},
      {"second", pairing.second},
      {"scope", ScopeName(scope)},
      {"p", pairing.p},
      {"difference", ToJson(std::optional(found.difference), found.problems)},
      {"p_value", found.p_value},
      {"problems", found.problems},
      {"better", found.better},
      {"worse", found.worse}};
}

}  // namespace

std::string ScoresJson(const analysis::TwoScores& scores,
                       const analysis::ScoreOptions& options,
                       const ScoreRemarks& remarks) {
  Json rows = Json::array(), pairings = Json::array();
  for (const auto& [part, scope] : {std::pair(&scores.all, Scope::kAll),
                                    std::pair(&scores.sound, Scope::kSound)}) {
    for (const Row& row : part->rows)
      rows.push_back(ToJson(row, scope, options));
    for (const analysis::Pairing& pairing : part->pairings)
      pairings.push_back(ToJson(pairing, scope));
  }
  return base::DumpJson(
      record::Document("analysis",
                       {{"version", KB_VERSION},
                        {"baseline", remarks.baseline},
                        {"time", analysis::TimeName(options.time)},
                        {"ruler", remarks.ruler},
                        {"imported_speedups", remarks.foreign},
                        {"superseded_results", remarks.superseded},
                        {"rows", rows},
                        {"pairings", pairings},
                        {"flagged",
                         {{"samples", scores.sound.flagged},
                          {"problems", scores.sound.flagged_problems}}},
                        {"not_counted",
                         {{"not_run", scores.all.not_run},
                          {"infra_error", scores.all.infra_errors},
                          {"without_baseline", remarks.without_baseline}}}}),
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

std::string CsvRow(const Row& row, Scope scope,
                   const analysis::ScoreOptions& options) {
  std::string text;
  const auto line = [&](const std::string& metric,
                        const std::optional<stats::Interval>& value,
                        int64_t problems) {
    if (!value) return;
    const std::string interval =
        problems < analysis::kLeastProblems
            ? ","
            : fmt::format("{},{}", value->low, value->high);
    text += fmt::format("{},{},{},{},{},{},{},{}\n", Field(row.run),
                        Field(row.group), ScopeName(scope), row.problems,
                        row.samples, metric, value->estimate, interval);
  };
  for (size_t i = 0; i < options.ps.size(); ++i)
    line(fmt::format("fast_{}", options.ps[i]), row.fast[i], row.problems);
  for (size_t i = 0; i < options.ks.size(); ++i) {
    line(fmt::format("pass@{}", options.ks[i]), row.pass[i], row.problems);
    line(fmt::format("fast_{}@{}", options.best_of_p, options.ks[i]),
         row.best[i], row.problems);
  }
  const int64_t timed = row.problems_with_speedup;
  line("compiled", row.compiled, row.problems);
  line("geometric_mean_speedup_of_correct", row.speedup, timed);
  line("geometric_mean_wall_speedup_of_correct", row.wall_speedup, timed);
  line("share_of_roofline", row.roofline, timed);
  const auto exact = [&](const char* metric, std::optional<double> value) {
    if (value)
      line(metric, stats::Interval{*value, *value, *value}, row.problems);
  };
  exact("usd", row.usd);
  exact("usd_per_correct", row.usd_per_correct);
  return text;
}

}  // namespace

std::string ScoresCsv(const analysis::TwoScores& scores,
                      const analysis::ScoreOptions& options) {
  std::string text =
      "run,group,scope,problems,samples,metric,estimate,low,high\n";
  for (const Row& row : scores.all.rows)
    text += CsvRow(row, Scope::kAll, options);
  for (const Row& row : scores.sound.rows)
    text += CsvRow(row, Scope::kSound, options);
  return text;
}

}  // namespace kb::report
