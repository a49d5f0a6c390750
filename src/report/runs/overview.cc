#include "overview.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <utility>

#include "html/facts.h"
#include "html/format.h"
#include "html/html.h"

namespace kb::report {
namespace {

using analysis::Row;
using record::Verdict;

constexpr const char* kAllProblems = "all problems";
constexpr const char* kSoundProblems = "sound problems";

void AddFigure(const char* name, const std::string& value,
               const std::string& note, html::Html* html) {
  html->Open("div").Element("dt", name).Open("dd").Text(value);
  html->Element("small", note).Close().Close();
}

std::string Dollars(double usd) {
  return usd < 0.1 ? fmt::format("${:.3g}", usd) : fmt::format("${:.2f}", usd);
}

std::string VerdictCount(const Row* row, Verdict verdict) {
  if (row == nullptr) return "0";
  const auto at = row->verdicts.find(verdict);
  return html::FormatCount(at == row->verdicts.end() ? 0 : at->second);
}

// Of a replay there is neither.
void AddPrice(const BookRun& run, html::Html* html) {
  const record::Usage& tokens = run.tokens;
  const bool counted = tokens.input > 0 || tokens.output > 0;
  if (run.usd == 0 && !counted) return;
  AddFigure("Cost", run.usd ? Dollars(*run.usd) : "\u2013",
            run.usd ? "of all answers" : "not known", html);
  if (counted)
    AddFigure("Tokens", html::FormatCount(tokens.input + tokens.output),
              fmt::format("{} in, {} out", html::FormatCount(tokens.input),
                          html::FormatCount(tokens.output)),
              html);
}

// Nothing of fewer problems than an interval needs.
std::string IntervalOver(const stats::Interval& interval, int64_t problems) {
  return problems < analysis::kLeastProblems ? "" : IntervalText(interval);
}

void AddInterval(const stats::Interval& interval, int64_t problems,
                 html::Html* html) {
  const std::string text = IntervalOver(interval, problems);
  if (!text.empty()) html->Element("small", text);
}

// fast_1 of a run's problems: all of them, as published, or the sound ones.
void AddFast(const Book& book, const analysis::Scores& scores, const char* name,
             const BookRun& run, html::Html* html) {
  const Row* row = RowOf(scores, run.name, "");
  const auto one = IndexOfP(book.scoring, 1);
  if (row == nullptr || !one || *one >= row->fast.size())
    return AddFigure(name, "\u2013", "not computed", html);
  const auto problems = static_cast<size_t>(row->problems);
  std::string of = html::CountOf(problems, "problem");
  const std::string interval = IntervalOver(row->fast[*one], row->problems);
  if (!interval.empty()) of += " " + interval;
  AddFigure(name, ShareText(row->fast[*one].estimate), of, html);
}

// The answer first, then what it rests on.
void AddFigures(const Book& book, const BookRun& run, html::Html* html) {
  const Row* row = RowOf(book.scores.all, run.name, "");
  const Row* sound = RowOf(book.scores.sound, run.name, "");
  const int64_t problems = row == nullptr ? 0 : row->problems;
  const int64_t flagged = problems - (sound == nullptr ? 0 : sound->problems);
  html->Open("dl", {{"class", "figures"}});
  AddFast(book, book.scores.all, "fast_1, all problems", run, html);
  AddFast(book, book.scores.sound, "fast_1, sound problems", run, html);
  AddFigure("Correct", VerdictCount(row, Verdict::kCorrect),
            "of " + html::CountOf(
                        static_cast<size_t>(row == nullptr ? 0 : row->samples),
                        "sample"),
            html);
  AddFigure("Problems", html::FormatCount(problems),
            flagged == 0 ? "none known to be weak"
                         : html::FormatCount(flagged) + " known to be weak",
            html);
  AddPrice(run, html);
  html->Close();
}

void AddFacts(const BookRun& run, html::Html* html) {
  html::FactList facts{{"Device", run.device.name}};
  facts.insert(facts.end(), run.settings.begin(), run.settings.end());
  facts.insert(facts.end(), {{"torch", run.device.torch},
                             {"Driver", run.device.driver},
                             {"Isolation", run.isolation}});
  if (run.measured)
    facts.insert(facts.end(), {{"Times", analysis::ConditionsOf(*run.measured)},
                               {"First calls, no part of the times",
                                analysis::FirstCallsOf(*run.measured)}});
  html->Open("dl", {{"class", "facts"}});
  for (const auto& [name, value] : facts)
    if (!value.empty())
      html->Open("div")
          .Element("dt", html::Cell(name))
          .Element("dd", html::Cell(value))
          .Close();
  html->Close();
}

void AddRun(const Book& book, size_t i, html::Html* html) {
  const BookRun& run = book.runs[i];
  html->Open("article", {{"class", "run"}});
  html->Open("h3").Element("span", "", {{"class", "swatch " + RunClass(i)}});
  html->Text(html::Cell(run.name)).Close();
  AddFigures(book, run, html);
  AddFacts(run, html);
  if (!run.unusable.empty()) {
    html->Open("p", {{"class", "hint"}});
    html->Text(fmt::format("{} answers, of which without code:",
                           html::FormatCount(run.answers)));
    for (const auto& [status, count] : run.unusable)
      html->Text(
          fmt::format(" {} {}", html::FormatCount(count), html::Cell(status)));
    html->Close();
  }
  if (run.isolation == "none")
    html->Element("p",
                  "No isolation: these candidates ran without a sandbox; their "
                  "verdicts are only as honest as their code.",
                  {{"class", "warning"}});
  html->Close().Line();
}

// --- Heat map ---

std::vector<std::string> LevelsOf(const analysis::Scores& scores) {
  std::vector<std::string> levels;
  for (const Row& row : scores.rows)
    if (std::find(levels.begin(), levels.end(), row.group) == levels.end())
      levels.push_back(row.group);
  std::sort(levels.begin(), levels.end());
  return levels;
}

std::string LevelName(const std::string& level) {
  return level.empty() ? "no level" : html::Cell(level);
}

void AddHeatCell(const Row* row, size_t p, html::Html* html) {
  if (row == nullptr || p >= row->fast.size()) {
    html->Element("td", "\u2013", {{"class", "number none"}});
    return;
  }
  const stats::Interval& share = row->fast[p];
  const double percent = 55 * std::clamp(share.estimate, 0.0, 1.0);
  html->Open("td", {{"class", "number heat"},
                    {"style", fmt::format("--heat:{:.0f}%", percent)}});
  html->Element("b", ShareText(share.estimate));
  AddInterval(share, row->problems, html);
  html->Close();
}

std::string FastName(double p) {
  return p == 0 ? "correct (fast_0)" : fmt::format("fast_{:g}", p);
}

void AddHeatRow(const BookRun& run, const char* of,
                const std::vector<std::string>& levels,
                const analysis::Scores& by_level, const Row* all, size_t p,
                html::Html* html) {
  html->Open("tr").Open("th", {{"scope", "row"}}).Text(html::Cell(run.name));
  html->Element("small", of).Close();
  for (const std::string& level : levels)
    AddHeatCell(RowOf(by_level, run.name, level), p, html);
  AddHeatCell(all, p, html);
  html->Close();
}

void AddHeatTable(const Book& book, const std::vector<std::string>& levels,
                  size_t p, html::Html* html) {
  const double value = book.scoring.ps[p];
  html->Open("table", {{"class", fmt::format("grid heat-table p{}", p)}});
  html->Element("caption",
                value == 0
                    ? "Share of samples that are correct"
                    : fmt::format("Share of samples that are correct and more "
                                  "than {:g} times as fast as {}",
                                  value, html::Cell(book.baseline)));
  html->Open("thead").Open("tr").Element("th", "Run", {{"scope", "col"}});
  for (const std::string& level : levels)
    html->Element("th", LevelName(level),
                  {{"scope", "col"}, {"class", "number"}});
  html->Element("th", "all levels", {{"scope", "col"}, {"class", "number"}});
  html->Close().Close().Open("tbody");
  for (const BookRun& run : book.runs) {
    const Row* all = RowOf(book.scores.all, run.name, "");
    const Row* sound = RowOf(book.scores.sound, run.name, "");
    AddHeatRow(run, kAllProblems, levels, book.by_level.all, all, p, html);
    if (all == nullptr || sound == nullptr || all->problems == sound->problems)
      continue;
    AddHeatRow(run, kSoundProblems, levels, book.by_level.sound, sound, p,
               html);
  }
  html->Close().Close().Line();
}

// A choice that style sheets alone can read; style.css knows 12 of them.
void AddChoice(const std::vector<double>& ps, size_t chosen, html::Html* html) {
  html->Open("fieldset", {{"class", "switch"}});
  html->Element("legend", "Faster than the baseline by");
  for (size_t i = 0; i < std::min<size_t>(ps.size(), 12); ++i) {
    html->Open("label");
    const std::string id = fmt::format("p{}", i);
    html->Raw(fmt::format("<input type=\"radio\" name=\"p\" id=\"{}\"{}>", id,
                          i == chosen ? " checked" : ""));
    html->Element("span", FastName(ps[i])).Close();
  }
  html->Close().Line();
}

// --- Scores ---

// `upper`: what it is if all that is open turns out well.
void AddScore(const std::optional<stats::Interval>& value, int64_t problems,
              html::Html* html, std::optional<double> upper = {}) {
  if (!value) {
    html->Element("td", "\u2013", {{"class", "number none"}});
    return;
  }
  html->Open("td", {{"class", "number"}}).Text(ShareText(value->estimate));
  AddInterval(*value, problems, html);
  if (upper) html->Element("small", "up to " + ShareText(*upper));
  html->Close();
}

void AddRowName(const Row& row, const char* of, html::Html* html) {
  html->Open("th", {{"scope", "row"}});
  html->Text(
      html::Cell(row.group.empty() ? row.run : row.run + " " + row.group));
  html->Element("small",
                fmt::format("{} ({})", of, html::FormatCount(row.problems)));
  html->Close();
}

void AddScoreHead(const analysis::ScoreOptions& options, html::Html* html) {
  html->Open("thead").Open("tr").Element("th", "Run", {{"scope", "col"}});
  const auto add = [&](const std::string& name) {
    html->Element("th", name, {{"scope", "col"}, {"class", "number"}});
  };
  add("Compiled");
  for (const double p : options.ps) add(FastName(p));
  for (const int64_t k : options.ks) add(fmt::format("pass@{}", k));
  for (const int64_t k : options.ks)
    for (const double p : options.ps)
      if (k > 1 && p > 0) add(fmt::format("fast_{:g}@{}", p, k));
  add("Geometric mean speedup, device time");
  add("By wall time, over eager");
  html->Close().Close().Line();
}

void AddScoreRow(const Row& row, const char* of,
                 const analysis::ScoreOptions& options, html::Html* html) {
  html->Open("tr");
  AddRowName(row, of, html);
  const auto bound = [&](double p, double upper) {
    const bool open = row.open > 0 || (p > 0 && row.speed_open > 0);
    return open ? std::optional(upper) : std::nullopt;
  };
  AddScore(row.compiled, row.problems, html);
  for (size_t i = 0; i < row.fast.size(); ++i)
    AddScore(row.fast[i], row.problems, html,
             bound(options.ps[i], row.fast_upper[i]));
  for (const analysis::BestOfK& best : row.of_k)
    AddScore(best.pass, best.problems, html, bound(0, best.pass_upper));
  for (const analysis::BestOfK& best : row.of_k)
    for (size_t i = 0; i < options.ps.size(); ++i)
      if (best.k > 1 && options.ps[i] > 0)
        AddScore(best.fast[i], best.problems, html,
                 bound(options.ps[i], best.fast_upper[i]));
  AddScore(row.speedup, row.problems_with_speedup, html);
  AddScore(row.wall_speedup, row.problems_with_wall_speedup, html);
  html->Close().Line();
}

// A figure of the second table, and what stands small below it.
struct MoreFigure {
  std::string column;
  std::string value;  // empty: the row has none
  std::vector<std::string> notes = {};
};

MoreFigure MoreFigureOf(const Row& row, std::string column,
                        const std::optional<stats::Interval>& value,
                        int64_t problems) {
  MoreFigure figure{.column = std::move(column), .value = ""};
  if (!value) return figure;
  figure.value = ShareText(value->estimate);
  if (problems >= analysis::kLeastProblems)
    figure.notes.push_back(IntervalText(*value));
  if (problems != row.problems)
    figure.notes.push_back(
        "of " + html::CountOf(static_cast<size_t>(problems), "problem"));
  return figure;
}

// The same columns of every row.
std::vector<MoreFigure> MoreFiguresOf(const Row& row) {
  std::vector<MoreFigure> figures;
  for (const analysis::BestOfK& best : row.of_k)
    if (best.k > 1)
      figures.push_back(
          MoreFigureOf(row, fmt::format("Speedup of best of {}", best.k),
                       best.speedup, best.problems));
  figures.push_back(MoreFigureOf(row, "Speedup of all, failures as 1",
                                 row.speedup_of_all, row.problems));
  figures.push_back(MoreFigureOf(
      row, "SOL score", row.roofline.value ? row.sol_score.value : std::nullopt,
      row.sol_score.problems));
  const analysis::Partial& seconds = row.seconds_to_correct;
  figures.push_back({.column = "Time to the first correct", .value = ""});
  if (seconds.value) {
    figures.back().value = fmt::format("{:.1f} s", seconds.value->estimate);
    figures.back().notes = {
        "mean of " +
        html::CountOf(static_cast<size_t>(seconds.problems), "problem")};
  }
  const bool priced = row.usd && *row.usd > 0;
  for (const auto& [column, usd] :
       {std::pair("Cost of a correct kernel", row.usd_per_correct),
        std::pair("Cost of a faster kernel", row.usd_per_fast)})
    figures.push_back(
        {.column = column, .value = priced && usd ? Dollars(*usd) : ""});
  return figures;
}

void AddMoreRow(const Row& row, const char* of,
                const std::set<std::string>& columns, html::Html* html) {
  html->Open("tr");
  AddRowName(row, of, html);
  for (const MoreFigure& figure : MoreFiguresOf(row)) {
    if (!columns.contains(figure.column)) continue;
    if (figure.value.empty()) {
      html->Element("td", "\u2013", {{"class", "number none"}});
      continue;
    }
    html->Open("td", {{"class", "number"}}).Text(figure.value);
    for (const std::string& note : figure.notes) html->Element("small", note);
    html->Close();
  }
  html->Close().Line();
}

// The rows of the table of scores: of all problems, then of the sound ones
// where these are others.
template <typename F>
void VisitScoreRows(const Book& book, F&& visit) {
  for (const Row& row : book.table.all.rows) {
    visit(row, kAllProblems);
    const Row* sound = RowOf(book.table.sound, row.run, row.group);
    if (sound != nullptr && sound->samples != row.samples)
      visit(*sound, kSoundProblems);
  }
}

// --- Verdicts ---

using Counts = std::array<int64_t, kCategories>;

void AddBar(const Counts& counts, html::Html* html) {
  html->Open("div", {{"class", "share"}, {"aria-hidden", "true"}});
  for (size_t category = 0; category < kCategories; ++category)
    if (counts[category] > 0)
      html->Element("span", "",
                    {{"class", CategoryStyle(category)},
                     {"style", fmt::format("flex-grow:{}", counts[category])}});
  html->Close();
}

// One row per verdict that there is: names are long and runs are few. `counts`
// is of each run.
void AddVerdictRow(const std::string& name, const char* style,
                   const std::vector<int64_t>& counts, html::Html* html) {
  html->Open("tr").Open("th", {{"scope", "row"}});
  html->Element("span", name, {{"class", fmt::format("badge {}", style)}});
  html->Close();
  for (const int64_t count : counts)
    html->Element("td", html::FormatCount(count), {{"class", "number"}});
  html->Close().Line();
}

// Samples of each run that are without a verdict for that reason.
std::vector<int64_t> MissingOf(const Book& book, analysis::Missing missing) {
  std::vector<int64_t> counts;
  for (const BookRun& run : book.runs) {
    const Row* row = RowOf(book.scores.all, run.name, "");
    const bool any = row != nullptr && row->missing.contains(missing);
    counts.push_back(any ? row->missing.at(missing) : 0);
  }
  return counts;
}

const char* MissingInWords(analysis::Missing missing) {
  switch (missing) {
    case analysis::Missing::kNoAnswer:
      return "no answer";
    case analysis::Missing::kNotAsked:
      return "not asked";
    case analysis::Missing::kNotJudged:
      return "not judged yet";
  }
  return "";
}

// --- Pairings ---

std::string InWords(const analysis::Pairing& pairing) {
  const analysis::Comparison& c = pairing.comparison;
  if (c.problems == 0) return "Both were asked for none of them.";
  if (c.better == 0 && c.worse == 0) return "The same on every problem.";
  const std::string chance =
      c.p_value < 0.001 ? "in fewer than 1 of 1,000 cases"
                        : fmt::format("in {:.{}f} of 100 cases",
                                      100 * c.p_value, c.p_value < 0.1 ? 1 : 0);
  if (c.p_value >= 0.05)
    return fmt::format(
        "No difference is shown: chance alone gives one as large {}.", chance);
  return fmt::format(
      "{} is better: chance alone gives such a difference {}.",
      html::Cell(c.difference.estimate > 0 ? pairing.first : pairing.second),
      chance);
}

void AddPairing(const analysis::Pairing& pairing, html::Html* html) {
  const analysis::Comparison& c = pairing.comparison;
  html->Open("tr").Open("th", {{"scope", "row"}});
  html->Text(html::Cell(pairing.first))
      .Text(" against ")
      .Text(html::Cell(pairing.second));
  html->Close();
  for (const std::string& value :
       {FastName(pairing.p), html::FormatCount(c.problems),
        html::FormatCount(c.better), html::FormatCount(c.worse)})
    html->Element("td", value, {{"class", "number"}});
  html->Open("td", {{"class", "number"}});
  html->Text(fmt::format("{:+.3f}", c.difference.estimate));
  AddInterval(c.difference, c.problems, html);
  html->Close();
  html->Element("td", fmt::format("{:.3g}", c.p_value), {{"class", "number"}});
  html->Element("td", InWords(pairing), {{"class", "words"}}).Close().Line();
}

void OpenRegion(const char* label, html::Html* html) {
  html->Open("div", {{"class", "scroll"},
                     {"role", "region"},
                     {"aria-label", label},
                     {"tabindex", "0"}});
}

std::string PairingTable(const std::vector<const analysis::Pairing*>& pairings,
                         bool with_flagged, const char* label) {
  html::Html html;
  OpenRegion(label, &html);
  html.Open("table", {{"class", "grid pairings"}});
  html.Element(
      "caption",
      fmt::format("Two runs on the {} that both were asked for. The p-value is "
                  "of the paired sign-flip test; it is not corrected for the "
                  "number of comparisons.",
                  with_flagged ? "problems, sound or not," : "sound problems"));
  html.Open("thead").Open("tr").Element("th", "Runs", {{"scope", "col"}});
  for (const char* name : {"Score", "Problems", "First is better",
                           "Second is better", "Difference", "p-value"})
    html.Element("th", name, {{"scope", "col"}, {"class", "number"}});
  html.Element("th", "In words", {{"scope", "col"}}).Close().Close().Line();
  html.Open("tbody");
  for (const analysis::Pairing* pairing : pairings) AddPairing(*pairing, &html);
  html.Close().Close().Close();
  return html.Take();
}

}  // namespace

std::string RunClass(size_t run) { return fmt::format("r{}", run % 8); }

std::string ShareText(double share) {
  return std::isfinite(share) ? fmt::format("{:.3f}", share) : "?";
}

std::string IntervalText(const stats::Interval& interval) {
  return fmt::format("[{:.2f}, {:.2f}]", interval.low, interval.high);
}

std::string RunsHtml(const Book& book) {
  html::Html html;
  for (size_t i = 0; i < book.runs.size(); ++i) AddRun(book, i, &html);
  return html.Take();
}

namespace {

std::string ListHtml(const char* title, const std::string& items) {
  if (items.empty()) return "";
  return fmt::format("<p>{}</p>\n<ul class=\"dots\">\n{}</ul>\n", title, items);
}

}  // namespace

std::string NotCountedHtml(const Book& book) {
  const analysis::Scores& scores = book.scores.sound;
  html::Html html;
  const auto add = [&](int64_t count, const std::string& why) {
    const auto samples = html::CountOf(static_cast<size_t>(count), "sample");
    if (count > 0) html.Element("li", samples + why).Line();
  };
  if (!book.scoring.with_flagged)
    add(scores.flagged,
        fmt::format(
            " of {} (known to be weak), except in scores of all problems",
            html::CountOf(static_cast<size_t>(scores.flagged_problems),
                          "flagged problem")));
  const std::string left_out = html.Take();
  for (const auto& [run, gaps] : book.scores.all.gaps) {
    const std::string of = ", " + html::Cell(run);
    add(gaps.no_answer, " without an answer" + of);
    add(gaps.not_asked, " not asked before the run stopped" + of);
    add(gaps.not_judged, " answered and not judged yet" + of);
    add(gaps.infra_errors, " left unjudged by our own failure" + of);
    add(gaps.not_run, " that cannot run on this device" + of);
  }
  const std::string failed = html.Take();
  return ListHtml("Not counted:", left_out) +
         ListHtml("Counted as failed:", failed) +
         (left_out.empty() && failed.empty()
              ? "<p class=\"hint\">Every sample was counted.</p>\n"
              : "");
}

std::string HeatMapHtml(const Book& book) {
  if (book.runs.empty() || book.scoring.ps.empty()) return {};
  const std::vector<std::string> levels = LevelsOf(book.by_level.all);
  html::Html html;
  html.Open("div", {{"class", "heat-map"}});
  AddChoice(book.scoring.ps, IndexOfP(book.scoring, 1).value_or(0), &html);
  OpenRegion("fast_p by run and level", &html);
  for (size_t p = 0; p < std::min<size_t>(book.scoring.ps.size(), 12); ++p)
    AddHeatTable(book, levels, p, &html);
  html.Close().Close();
  return html.Take();
}

namespace {

// Columns that no row has anything in are left out.
void AddMoreScores(const Book& book, html::Html* html) {
  std::set<std::string> columns;
  VisitScoreRows(book, [&](const Row& row, const char*) {
    for (const MoreFigure& figure : MoreFiguresOf(row))
      if (!figure.value.empty()) columns.insert(figure.column);
  });
  OpenRegion("More scores", html);
  html->Open("table", {{"class", "grid"}});
  html->Element("caption", "More scores; docs/scores.md has the formulas");
  html->Open("thead").Open("tr").Element("th", "Run", {{"scope", "col"}});
  for (const MoreFigure& figure : MoreFiguresOf(book.table.all.rows.front()))
    if (columns.contains(figure.column))
      html->Element("th", figure.column,
                    {{"scope", "col"}, {"class", "number"}});
  html->Close().Close().Line().Open("tbody");
  VisitScoreRows(book, [&](const Row& row, const char* of) {
    AddMoreRow(row, of, columns, html);
  });
  html->Close().Close().Close();
}

}  // namespace

std::string ScoresHtml(const Book& book) {
  if (book.table.all.rows.empty()) return {};
  html::Html html;
  OpenRegion("All scores", &html);
  html.Open("table", {{"class", "grid"}});
  html.Element("caption", fmt::format("All scores, with 95 % intervals over "
                                      "problems where there are {} and more",
                                      analysis::kLeastProblems));
  AddScoreHead(book.scoring, &html);
  html.Open("tbody");
  VisitScoreRows(book, [&](const Row& row, const char* of) {
    AddScoreRow(row, of, book.scoring, &html);
  });
  html.Close().Close().Close();
  AddMoreScores(book, &html);
  return html.Take();
}

std::string VerdictsHtml(const Book& book) {
  std::vector<Counts> counts(book.runs.size(), Counts{});
  for (const BookSample& sample : book.samples)
    ++counts[sample.run][CategoryOf(sample.outcome)];
  html::Html rows;
  const auto add = [&](const std::string& name, const char* style,
                       const std::vector<int64_t>& of_runs) {
    if (std::ranges::any_of(of_runs, [](int64_t count) { return count > 0; }))
      AddVerdictRow(name, style, of_runs, &rows);
  };
  for (size_t category = 0; category < kCategories; ++category) {
    std::vector<int64_t> of_runs;
    for (const Counts& of_run : counts) of_runs.push_back(of_run[category]);
    add(CategoryName(category), CategoryStyle(category), of_runs);
  }
  for (const auto missing :
       {analysis::Missing::kNoAnswer, analysis::Missing::kNotAsked,
        analysis::Missing::kNotJudged})
    add(MissingInWords(missing), html::VerdictKind(std::nullopt),
        MissingOf(book, missing));
  const std::string body = rows.Take();
  if (body.empty()) return {};
  html::Html html;
  OpenRegion("Verdicts by run", &html);
  html.Open("table", {{"class", "grid verdicts"}});
  html.Element("caption", "Verdicts of all samples, counted or not");
  html.Open("thead").Open("tr").Element("th", "Verdict", {{"scope", "col"}});
  for (size_t i = 0; i < book.runs.size(); ++i) {
    html.Open("th", {{"scope", "col"}, {"class", "number"}});
    html.Text(html::Cell(book.runs[i].name));
    AddBar(counts[i], &html);
    html.Close();
  }
  html.Close().Close().Line().Open("tbody");
  html.Raw(body).Close().Close().Close();
  return html.Take();
}

std::string PairingsHtml(const Book& book) {
  std::vector<const analysis::Pairing*> main;
  std::vector<const analysis::Pairing*> others;
  for (const analysis::Pairing& pairing : book.by_run().pairings)
    (pairing.p == 0 || pairing.p == 1 ? main : others).push_back(&pairing);
  if (main.empty()) std::swap(main, others);
  if (main.empty()) return {};
  std::string html =
      PairingTable(main, book.scoring.with_flagged, "Runs compared");
  if (!others.empty())
    html += fmt::format(
        "<details class=\"fold\"><summary>Other thresholds</summary>{}"
        "</details>",
        PairingTable(others, book.scoring.with_flagged,
                     "Runs compared at other thresholds"));
  return html;
}

}  // namespace kb::report
