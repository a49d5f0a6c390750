#include "searches.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <utility>

#include "analysis/searches.h"
#include "charts.h"
#include "digest.h"
#include "html/format.h"
#include "html/html.h"
#include "html/text.h"
#include "overview.h"
#include "plot.h"
#include "ticks.h"

namespace kb::report {
namespace {

using analysis::BestSoFar;
using analysis::Search;
using analysis::SearchCost;
using analysis::SearchTurn;
using html::Html;

constexpr size_t kMostTrees = 40;
constexpr size_t kMostTurns = 400;  // of one

// --- Best so far ---

struct RunCurve {
  size_t run = 0;
  BestSoFar curve;
};

// Tokens in thousands.
std::vector<RunCurve> CurvesBy(const Book& book, SearchCost cost) {
  std::vector<RunCurve> curves;
  for (size_t i = 0; i < book.runs.size(); ++i)
    if (auto curve = analysis::BestSoFarOf(book.runs[i].searches, cost))
      curves.push_back({i, std::move(*curve)});
  constexpr double kThousand = 1000;
  if (cost == SearchCost::kTokens)
    for (RunCurve& run : curves)
      for (double& at : run.curve.at) at /= kThousand;
  return curves;
}

Plot PlotOf(const std::vector<RunCurve>& curves) {
  double most = 0;
  double highest = 1;
  for (const auto& [run, curve] : curves) {
    most = std::max(most, curve.at.back());
    for (const stats::Interval& value : curve.best)
      highest = std::max(highest, curve.searches >= analysis::kLeastProblems
                                      ? value.high
                                      : value.estimate);
  }
  Plot plot;
  plot.high_x = most;
  plot.low_y = 1;
  plot.step_y = 2 * RoundStep(std::max(highest - 1, 0.1), kMostSteps);
  plot.high_y =
      1 + std::ceil(std::max(highest - 1, 0.1) / plot.step_y) * plot.step_y;
  return plot;
}

std::string CurveSvg(const Book& book, SearchCost cost, const char* prefix,
                     const char* name) {
  const std::vector<RunCurve> curves = CurvesBy(book, cost);
  if (curves.empty()) return {};
  const Plot plot = PlotOf(curves);
  std::string label = fmt::format("best so far against {}:", name);
  for (const auto& [run, curve] : curves)
    label += fmt::format(" {}: {} at {:.4g};", html::Cell(book.runs[run].name),
                         html::FormatRatio(curve.best.back().estimate),
                         curve.at.back());
  std::string svg = OpenSvg(label);
  AppendAxes(plot, prefix, name, &svg);
  for (const auto& [run, curve] : curves) {
    const std::string style = RunClass(run);
    if (curve.searches >= analysis::kLeastProblems)
      svg += fmt::format("<path class=\"confidence {}\" d=\"{}\"/>", style,
                         StepBand(plot, curve.at, curve.best));
    svg += fmt::format(
        "<path class=\"line {}\" d=\"{}\"/>{}\n", style,
        StepPath(plot, curve.at, curve.best, &stats::Interval::estimate),
        Marker(run, plot.X(curve.at.back()),
               plot.Y(curve.best.back().estimate)));
  }
  return svg + "</svg>\n";
}

void AddFigure(const char* heading, const std::string& svg, Html* html) {
  if (svg.empty()) return;
  html->Open("figure").Element("h3", heading);
  html->Open("div", {{"class", "scroll"},
                     {"role", "region"},
                     {"aria-label", heading},
                     {"tabindex", "0"}});
  html->Line().Raw(svg).Close().Close().Line();
}

// --- Trees ---

// The turns of a search by the parent that they stand below; 0: none.
using Children = std::map<int64_t, std::vector<const SearchTurn*>>;

// Of several parents the last is the program.
int64_t ParentOf(const SearchTurn& turn) {
  if (turn.ask.parents.empty()) return 0;
  return turn.ask.kind == record::AskKind::kIdea ? turn.ask.parents.back()
                                                 : turn.ask.parents.front();
}

class Tree {
 public:
  Tree(const Search& search, Html* html) : search_(search), html_(html) {
    const size_t shown = std::min(search.turns.size(), kMostTurns);
    for (size_t i = 0; i < shown; ++i)
      children_[ParentOf(search.turns[i])].push_back(&search.turns[i]);
    for (const int64_t turn : analysis::Improvements(search))
      better_.insert(turn);
  }

  void Add() {
    AddBelow(0);
    if (search_.turns.size() > kMostTurns)
      html_->Element("p",
                     fmt::format("The first {} of {} turns.", kMostTurns,
                                 search_.turns.size()),
                     {{"class", "hint"}});
  }

 private:
  // An only child stands beside its parent, so that a long line of descent does
  // not run out of the page.
  void AddBelow(int64_t parent) {
    html_->Open("ul", {{"class", "tree"}}).Line();
    std::vector<const SearchTurn*> row = children_[parent];
    while (!row.empty()) {
      std::vector<const SearchTurn*> next;
      for (const SearchTurn* turn : row) {
        const auto& below = children_[turn->ask.turn];
        const bool beside = row.size() == 1 && below.size() == 1;
        const bool better = better_.contains(turn->ask.turn);
        html_->Open("li");
        html_->Open("div", {{"class", better ? "better" : "not"}});
        AddTurn(*turn);
        html_->Close();
        if (beside)
          next = below;
        else if (!below.empty())
          AddBelow(turn->ask.turn);
        html_->Close().Line();
      }
      row = std::move(next);
    }
    html_->Close();
  }

  void AddTurn(const SearchTurn& turn) {
    std::string what = fmt::format("turn {}, {}", turn.ask.turn,
                                   record::AskKindName(turn.ask.kind));
    if (turn.ask.parents.size() > 1)
      what += fmt::format(" of {}", fmt::join(turn.ask.parents, " and "));
    html_->Open("span", {{"class", "what"}}).Text(what).Close();
    html_->Raw(" ");
    AddVerdict(turn);
    if (turn.told && turn.told->speedup)
      html_->Raw(" ").Element("b", html::FormatRatio(*turn.told->speedup));
    if (turn.ask.turn == search_.best)
      html_->Raw(" ").Element("span", "counts", {{"class", "tag"}});
    std::string small = turn.ask.place;
    if (turn.tokens > 0)
      small += fmt::format("{}{} tokens", small.empty() ? "" : ", ",
                           html::FormatCount(turn.tokens));
    if (turn.told && !turn.told->approaches.empty())
      small += fmt::format("{}{}", small.empty() ? "" : "; ",
                           fmt::join(turn.told->approaches, ", "));
    html_->Raw(" ").Element("small", small);
  }

  void AddVerdict(const SearchTurn& turn) {
    std::string text = "open";
    std::string style = "none";
    if (turn.told && turn.told->verdict) {
      text = html::FormatVerdict(turn.told->verdict);
      style = html::VerdictKind(turn.told->verdict);
    } else if (turn.told && turn.ask.kind == record::AskKind::kIdea &&
               turn.told->status == record::GenerationStatus::kNoCode) {
      text = "in words";
    } else if (turn.told) {
      text = "no program";
    }
    html_->Element("span", text, {{"class", "badge " + style}});
  }

  const Search& search_;
  Html* html_;
  Children children_;
  std::set<int64_t> better_;
};

// The winner, and what it was when it was judged again.
std::string WinnerText(const Book& book, size_t run, const Search& search) {
  if (!search.best) return "nothing was judged yet";
  for (const SearchTurn& turn : search.turns)
    if (turn.ask.turn == search.best && turn.told) {
      if (!turn.told->speedup)
        return fmt::format("turn {} counts", *search.best);
      std::string text =
          fmt::format("turn {} counts: {} as the search saw it", *search.best,
                      html::FormatRatio(*turn.told->speedup));
      for (const BookSample& sample : book.samples)
        if (sample.run == run && sample.outcome.confirms &&
            book.problems[sample.problem].id == search.problem_id &&
            sample.outcome.sample == search.sample && sample.outcome.speedup)
          text += fmt::format(", {} judged again",
                              html::FormatRatio(*sample.outcome.speedup));
      return text;
    }
  return {};
}

void AddTrees(const Book& book, Html* html) {
  size_t shown = 0;
  size_t left_out = 0;
  for (size_t run = 0; run < book.runs.size(); ++run)
    for (const Search& search : book.runs[run].searches) {
      if (shown == kMostTrees) {
        ++left_out;
        continue;
      }
      html->Open("details", {{"class", "fold search"}});
      html->Open("summary");
      html->Text(fmt::format(
          "{}{} sample {}: {}",
          book.runs.size() > 1 ? book.runs[run].name + ", " : "",
          search.problem_id, search.sample, WinnerText(book, run, search)));
      html->Close().Line();
      Tree(search, html).Add();
      html->Close().Line();
      ++shown;
    }
  if (left_out > 0)
    html->Element("p",
                  fmt::format("{} more are left out to keep this page small.",
                              html::CountOf(left_out, "search")),
                  {{"class", "hint"}});
}

}  // namespace

std::string SearchesHtml(const Book& book) {
  if (std::ranges::all_of(
          book.runs, [](const BookRun& run) { return run.searches.empty(); }))
    return {};
  Html html;
  html.Open("div", {{"class", "charts"}}).Line();
  AddFigure("Best so far by answers",
            CurveSvg(book, SearchCost::kAnswers, "", "answers of a search"),
            &html);
  AddFigure("Best so far by tokens",
            CurveSvg(book, SearchCost::kTokens, "",
                     "thousand tokens of a search, read and written"),
            &html);
  AddFigure("Best so far by price",
            CurveSvg(book, SearchCost::kUsd, "$", "USD of a search"), &html);
  html.Close().Line();
  html.Raw(RunKeyHtml(book));
  html.Element(
      "p",
      "Geometric mean over searches of the best correct program's speedup over "
      "eager so far, 1x where there is none or it is slower; shaded: 95 % "
      "intervals, of 10 searches and more. These are the figures that the "
      "searches chose by: the winner is judged once more, and that figure "
      "counts.",
      {{"class", "hint"}});
  html.Line();
  AddTrees(book, &html);
  return html.Take();
}

}  // namespace kb::report
