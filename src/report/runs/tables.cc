#include "tables.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "html/facts.h"
#include "html/format.h"
#include "html/html.h"

namespace kb::report {
namespace {

constexpr const char* kNone = "\u2013";

// A number as shown and as sorted; without one a dash that sorts last.
void AddNumber(const std::string& shown, std::optional<double> key,
               html::Html* html) {
  if (!key || !std::isfinite(*key)) {
    html->Element("td", kNone, {{"class", "number none"}, {"data-key", ""}});
    return;
  }
  html->Element(
      "td", shown,
      {{"class", "number"}, {"data-key", fmt::format("{:.6g}", *key)}});
}

// With the ratio by wall time small below it.
void AddSpeedup(const std::optional<double>& speedup,
                const std::optional<double>& wall, html::Html* html) {
  if (!speedup || !wall || !std::isfinite(*wall))
    return AddNumber(html::FormatRatio(speedup.value_or(0)), speedup, html);
  html->Open("td", {{"class", "number"},
                    {"data-key", fmt::format("{:.6g}", *speedup)}});
  html->Text(html::FormatRatio(*speedup));
  html->Element("small", "wall " + html::FormatRatio(*wall)).Close();
}

void AddCount(int64_t count, html::Html* html) {
  AddNumber(html::FormatCount(count), static_cast<double>(count), html);
}

void AddHead(const std::string& name, const char* style, html::Html* html) {
  html->Element("th", name,
                {{"scope", "col"}, {"class", style}, {"data-sort", ""}});
}

void OpenTable(const char* id, const char* label, html::Html* html) {
  html->Open("div", {{"class", "scroll framed"},
                     {"role", "region"},
                     {"aria-label", label},
                     {"tabindex", "0"}});
  html->Open("table", {{"class", "grid sticky"}, {"id", id}}).Line();
}

// --- Controls ---

void AddChoices(const char* id, const char* label,
                const std::vector<std::pair<std::string, std::string>>& choices,
                html::Html* html) {
  if (choices.empty()) return;
  html->Open("label").Text(fmt::format("{} ", label));
  html->Open("select", {{"id", id}}).Element("option", "all", {{"value", ""}});
  for (const auto& [value, name] : choices)
    html->Element("option", name, {{"value", value}});
  html->Close().Close().Line();
}

using Choices = std::vector<std::pair<std::string, std::string>>;

Choices LevelChoices(const Book& book) {
  std::set<std::string> levels;
  for (const BookProblem& problem : book.problems)
    levels.insert(html::Cell(analysis::LevelOf(problem.id)));
  Choices choices;
  for (const std::string& level : levels)
    choices.emplace_back(level, level.empty() ? "none" : level);
  // A choice of one is none.
  return choices.size() > 1 ? choices : Choices();
}

Choices FlagChoices(const std::vector<std::string>& flags) {
  Choices choices;
  if (flags.empty()) return choices;
  choices.emplace_back("none", "without a flag");
  choices.emplace_back("any", "with a flag");
  for (size_t i = 0; i < flags.size(); ++i)
    choices.emplace_back(fmt::format("f{}", i), html::Cell(flags[i]));
  return choices;
}

Choices VerdictChoices(const Digest& digest) {
  std::bitset<kCategories> seen;
  for (const auto& of_problem : digest.tallies)
    for (const Tally& tally : of_problem) seen |= tally.categories;
  Choices choices;
  for (size_t category = 0; category < kCategories; ++category)
    if (seen[category])
      choices.emplace_back(std::to_string(category), CategoryName(category));
  return choices;
}

Choices RunChoices(const Book& book) {
  Choices choices;
  for (size_t i = 0; i < book.runs.size() && book.runs.size() > 1; ++i)
    choices.emplace_back(std::to_string(i), html::Cell(book.runs[i].name));
  return choices;
}

// Every flag that a problem has, once.
std::vector<std::string> FlagsOf(const Book& book) {
  std::set<std::string> flags;
  for (const BookProblem& problem : book.problems)
    for (const record::Flag& flag : problem.flags) flags.insert(flag.flag);
  return {flags.begin(), flags.end()};
}

void AddTools(const Book& book, const Digest& digest,
              const std::vector<std::string>& flags, html::Html* html) {
  html->Open("div", {{"class", "tools"}, {"id", "tools"}, {"hidden", ""}});
  html->Raw(
      "<label>Find <input id=\"find\" type=\"search\" autocomplete=\"off\" "
      "placeholder=\"problem, tag, flag\"></label>\n");
  AddChoices("level", "Level", LevelChoices(book), html);
  AddChoices("flag", "Flag", FlagChoices(flags), html);
  AddChoices("verdict", "Has a verdict", VerdictChoices(digest), html);
  AddChoices("run", "in run", RunChoices(book), html);
  html->Raw("<p id=\"shown\" role=\"status\"></p>\n").Close().Line();
}

// --- Problems ---

using Modes = std::vector<record::BaselineMode>;

Modes ModesOf(const Book& book) {
  std::set<record::BaselineMode> modes;
  for (const BookProblem& problem : book.problems)
    for (const record::Baseline& baseline : problem.baselines)
      modes.insert(baseline.mode);
  return {modes.begin(), modes.end()};
}

void AddProblemHead(const Book& book, const Modes& modes, html::Html* html) {
  html->Open("thead").Open("tr");
  html->Element("td", "");
  for (size_t i = 0; i < book.runs.size(); ++i)
    html->Element(
        "th", html::Cell(book.runs[i].name),
        {{"scope", "colgroup"}, {"colspan", "3"}, {"class", "group"}});
  if (!modes.empty())
    html->Element("th", "PyTorch, median",
                  {{"scope", "colgroup"},
                   {"colspan", std::to_string(modes.size())},
                   {"class", "group"}});
  html->Close().Line().Open("tr");
  AddHead("Problem", "", html);
  for (size_t i = 0; i < book.runs.size(); ++i) {
    AddHead("Samples", "number group", html);
    AddHead("Correct", "number", html);
    AddHead(fmt::format("Best over {}", html::Cell(book.baseline)), "number",
            html);
  }
  for (const record::BaselineMode mode : modes)
    AddHead(record::BaselineModeName(mode), "number", html);
  html->Close().Close().Line();
}

std::string FlagKeys(const BookProblem& problem,
                     const std::vector<std::string>& flags) {
  std::string keys;
  for (const record::Flag& flag : problem.flags) {
    const auto at = std::lower_bound(flags.begin(), flags.end(), flag.flag);
    keys += fmt::format("f{} ", at - flags.begin());
  }
  return keys;
}

// "0:3 1:0": run 0 has verdict 3, ...
std::string VerdictKeys(const std::vector<Tally>& tallies) {
  std::string keys;
  for (size_t run = 0; run < tallies.size(); ++run)
    for (size_t category = 0; category < kCategories; ++category)
      if (tallies[run].categories[category])
        keys += fmt::format("{}:{} ", run, category);
  return keys;
}

void AddLabels(const BookProblem& problem, html::Html* html) {
  html->Open("div", {{"class", "labels"}});
  for (const std::string& tag : problem.tags)
    html->Element("span", html::Cell(tag), {{"class", "tag"}}).Text(" ");
  for (const record::Flag& flag : problem.flags)
    html->Element(
            "span", html::Cell(flag.flag),
            {{"class", "tag flagged"}, {"title", html::Cell(flag.Text())}})
        .Text(" ");
  html->Close();
}

void AddBaseline(const BookProblem& problem, record::BaselineMode mode,
                 html::Html* html) {
  for (const record::Baseline& baseline : problem.baselines) {
    if (baseline.mode != mode || !baseline.time) continue;
    const double median = baseline.time->median;
    return AddNumber(html::FormatTime(median, html::kMicro), median, html);
  }
  AddNumber("", std::nullopt, html);
}

void AddTally(const Book& book, const Tally& tally, html::Html* html) {
  AddCount(tally.samples, html);
  AddCount(tally.correct, html);
  if (!tally.best) return AddNumber("", std::nullopt, html);
  const BookSample& best = book.samples[*tally.best];
  AddSpeedup(SpeedupOf(best), best.outcome.wall_speedup, html);
}

// --- Samples ---

void AddSampleRow(const Book& book, size_t i, html::Html* html) {
  const BookSample& sample = book.samples[i];
  const record::Outcome& outcome = sample.outcome;
  html->Open("tr");
  html->Open("td").Element(
      "a", html::Cell(book.problems[sample.problem].id),
      {{"href", fmt::format("#problem/{}", sample.problem)}});
  html->Close().Element("td", html::Cell(book.runs[sample.run].name));
  html->Open("th", {{"scope", "row"}});
  if (sample.detail)
    html->Element("a", html::Cell(outcome.candidate_name),
                  {{"href", fmt::format("#sample/{}", i)}});
  else
    html->Text(html::Cell(outcome.candidate_name));
  html->Close();
  if (outcome.sample < 0)
    AddNumber("", std::nullopt, html);
  else
    AddCount(outcome.sample, html);
  html->Open("td").Element(
      "span", CategoryName(CategoryOf(outcome)),
      {{"class", fmt::format("badge {}", CategoryStyle(CategoryOf(outcome)))}});
  html->Close();
  const auto speedup = SpeedupOf(sample);
  AddNumber(html::FormatRatio(speedup.value_or(0)), speedup, html);
  AddNumber(html::FormatRatio(outcome.wall_speedup.value_or(0)),
            outcome.wall_speedup, html);
  for (const auto& us : {outcome.candidate_us, outcome.candidate_wall_us})
    AddNumber(html::FormatTime(us.value_or(0), html::kMicro), us, html);
  html->Element("td", html::Cell(outcome.reason), {{"class", "reason"}});
  html->Close().Line();
}

}  // namespace

std::string ProblemsHtml(const Book& book, const Digest& digest) {
  if (book.problems.empty()) return "<p>There is no problem in this book.</p>";
  const std::vector<std::string> flags = FlagsOf(book);
  const Modes modes = ModesOf(book);
  html::Html html;
  AddTools(book, digest, flags, &html);
  OpenTable("problems-table", "Problems", &html);
  html.Element("caption", html::CountOf(book.problems.size(), "problem"));
  AddProblemHead(book, modes, &html);
  html.Open("tbody").Line();
  for (size_t i = 0; i < book.problems.size(); ++i) {
    const BookProblem& problem = book.problems[i];
    const std::string level = html::Cell(analysis::LevelOf(problem.id));
    html.Open("tr", {{"data-level", level},
                     {"data-flags", FlagKeys(problem, flags)},
                     {"data-verdicts", VerdictKeys(digest.tallies[i])}});
    html.Open("th", {{"scope", "row"}})
        .Element("a", html::Cell(problem.id),
                 {{"href", fmt::format("#problem/{}", i)}})
        .Element("small", html::Cell(problem.name));
    AddLabels(problem, &html);
    html.Close();
    for (const Tally& tally : digest.tallies[i]) AddTally(book, tally, &html);
    for (const record::BaselineMode mode : modes)
      AddBaseline(problem, mode, &html);
    html.Close().Line();
  }
  html.Close().Close().Close().Line();
  return html.Take();
}

std::string SamplesHtml(const Book& book, const Digest& digest) {
  if (book.samples.empty()) return "<p>Nothing was judged.</p>";
  const size_t listed = digest.listed.size();
  const size_t all = book.samples.size();
  html::Html html;
  html.Element(
      "p",
      listed == all
          ? fmt::format("{}, the best first.", html::CountOf(all, "sample"))
          : fmt::format("Shows {} of {} samples, the best first: the best of "
                        "every problem and run, then one of each other "
                        "verdict, then what is fast.",
                        html::FormatCount(static_cast<int64_t>(listed)),
                        html::FormatCount(static_cast<int64_t>(all))),
      {{"class", "hint"}});
  OpenTable("samples-table", "Samples", &html);
  html.Element("caption", "Samples").Open("thead").Open("tr");
  AddHead("Problem", "", &html);
  AddHead("Run", "", &html);
  AddHead("Candidate", "", &html);
  AddHead("Sample", "number", &html);
  AddHead("Verdict", "", &html);
  AddHead(fmt::format("Speedup over {}", html::Cell(book.baseline)), "number",
          &html);
  AddHead("Wall, over eager", "number", &html);
  AddHead("Time", "number", &html);
  AddHead("Wall time", "number", &html);
  AddHead("Reason", "", &html);
  html.Close().Close().Open("tbody").Line();
  for (const size_t i : digest.listed) AddSampleRow(book, i, &html);
  html.Close().Close().Close().Line();
  return html.Take();
}

}  // namespace kb::report
