#include "searches.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "analysis/searches.h"
#include "charts.h"
#include "digest.h"
#include "html/format.h"
#include "html/html.h"
#include "overview.h"
#include "plot.h"
#include "search_tree.h"
#include "ticks.h"

namespace kb::report {
namespace {

using analysis::BestSoFar;
using analysis::Search;
using analysis::SearchCost;
using analysis::SearchTurn;
using html::Html;

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
      highest = std::max(highest, value.high);
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
    if (curve.searches > 1)
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

// How each run searched.
void AddStrategies(const Book& book, Html* html) {
  html->Open("ul", {{"class", "dots strategies"}}).Line();
  for (const BookRun& run : book.runs) {
    if (run.searches.empty()) continue;
    html->Element(
        "li", fmt::format("{}: {} by {}", run.name,
                          html::CountOf(run.searches.size(), "conversation"),
                          run.strategy.empty() ? "refinement" : run.strategy));
    html->Line();
  }
  html->Close().Line();
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

const Conversation* ConversationOf(const BookRun& run, size_t search) {
  return search < run.conversations.size() ? &run.conversations[search]
                                           : nullptr;
}

void AddTrees(const Book& book, Html* html) {
  size_t shown = 0;
  size_t left_out = 0;
  for (size_t run = 0; run < book.runs.size(); ++run)
    for (size_t i = 0; i < book.runs[run].searches.size(); ++i) {
      const Search& search = book.runs[run].searches[i];
      if (shown == kMostSearches) {
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
      AddTree(search, ConversationOf(book.runs[run], i), shown, html);
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
  AddFigure("Best so far by time",
            CurveSvg(book, SearchCost::kMinutes, "", "minutes of a search"),
            &html);
  html.Close().Line();
  html.Raw(RunKeyHtml(book));
  AddStrategies(book, &html);
  html.Element(
      "p",
      "Geometric mean over searches of the best correct program's speedup over "
      "eager so far, 1x where there is none or it is slower. Shaded: its 95 % "
      "interval, of 10 searches and more; of fewer, from the worst search to "
      "the best. Minutes are those of answers and judgements, as if one "
      "followed the other. These are the figures that the searches chose by: "
      "the winner "
      "is judged once more, and that figure counts.",
      {{"class", "hint"}});
  html.Line();
  AddTrees(book, &html);
  return html.Take();
}

}  // namespace kb::report
