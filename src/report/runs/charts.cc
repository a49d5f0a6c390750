#include "charts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "digest.h"
#include "html/format.h"
#include "html/html.h"
#include "html/text.h"
#include "overview.h"
#include "plot.h"
#include "stats/summary.h"

extern "C" const char kb_report_charts[];

namespace kb::report {
namespace {

std::string Escaped(std::string_view text) {
  return html::EscapeHtml(html::Cell(text));
}

// The next fifth above, where a tick is.
double NiceShare(double highest) {
  return std::clamp(std::ceil(highest * 5) / 5, 0.2, 1.0);
}

// --- fast_p ---

bool IsDrawable(const FastCurve& curve) {
  const auto finite = [](const stats::Interval& i) {
    return std::isfinite(i.estimate) && std::isfinite(i.low) &&
           std::isfinite(i.high);
  };
  return curve.ps.size() > 1 && curve.ps.size() == curve.values.size() &&
         std::all_of(curve.values.begin(), curve.values.end(), finite) &&
         std::all_of(curve.ps.begin(), curve.ps.end(),
                     [](double p) { return std::isfinite(p) && p >= 0; });
}

void AppendCurve(const FastCurve& curve, const Plot& plot, std::string* svg) {
  const std::string style = RunClass(curve.run);
  if (curve.problems >= analysis::kLeastProblems)
    *svg += fmt::format("<path class=\"confidence {}\" d=\"{}\"/>", style,
                        StepBand(plot, curve.ps, curve.values));
  *svg += fmt::format(
      "<path class=\"line {}\" d=\"{}\"/>", style,
      StepPath(plot, curve.ps, curve.values, &stats::Interval::estimate));
  const size_t count = curve.ps.size();
  const size_t every = std::max<size_t>(1, count / 8);
  for (size_t i = 0; i < count; i += every)
    *svg += Marker(curve.run, plot.X(curve.ps[i]),
                   plot.Y(curve.values[i].estimate));
  *svg += '\n';
}

// --- Cost ---

struct CostPoint {
  size_t run;
  double usd;
  stats::Interval fast;
};

// Price of one correct kernel against fast_1, of runs that have both.
std::vector<CostPoint> CostPoints(const Book& book) {
  std::vector<CostPoint> points;
  const auto one = IndexOfP(book.scoring, 1);
  for (size_t i = 0; one && i < book.runs.size(); ++i) {
    const BookRun& run = book.runs[i];
    const analysis::Row* row = RowOf(book.by_run(), run.name, "");
    if (row == nullptr || !run.usd || !(*run.usd > 0) ||
        *one >= row->fast.size())
      continue;
    const auto correct = row->verdicts.find(record::Verdict::kCorrect);
    if (correct == row->verdicts.end() || correct->second == 0) continue;
    points.push_back(
        {i, *run.usd / static_cast<double>(correct->second), row->fast[*one]});
  }
  return points;
}

Plot CostPlot(const std::vector<CostPoint>& points) {
  double low = points.front().usd;
  double high = low;
  double highest = 0;
  for (const CostPoint& point : points) {
    low = std::min(low, point.usd);
    high = std::max(high, point.usd);
    highest = std::max(highest, point.fast.high);
  }
  Plot plot;
  plot.log_x = high > 5 * low;
  plot.low_x = plot.log_x ? low / 2 : 0;
  plot.high_x = plot.log_x ? high * 2 : high * 1.3;
  plot.high_y = NiceShare(highest);
  return plot;
}

// Labels that would cover each other move down.
std::string CostLabels(const Book& book, const std::vector<CostPoint>& points,
                       const Plot& plot) {
  std::string svg;
  std::vector<std::pair<double, double>> taken;
  for (const CostPoint& point : points) {
    const double x = plot.X(point.usd);
    double y = plot.Y(point.fast.estimate) + 4;
    const auto covered = [&] {
      return std::any_of(taken.begin(), taken.end(), [&](const auto& other) {
        return std::fabs(other.first - x) < 150 &&
               std::fabs(other.second - y) < 14;
      });
    };
    for (int tries = 0; tries < 40 && covered(); ++tries) y += 14;
    taken.emplace_back(x, y);
    const bool left = x > (plot.left + plot.right) * 0.6;
    svg += fmt::format(
        "<text class=\"label\" x=\"{:.1f}\" y=\"{:.1f}\" "
        "text-anchor=\"{}\">{}</text>\n",
        left ? x - 11 : x + 11, y, left ? "end" : "start",
        html::EscapeHtml(
            html::CutToColumns(html::Cell(book.runs[point.run].name), 36)));
  }
  return svg;
}

// --- Speedups ---

constexpr int kLowest = -6;  // half octaves: 1/8x
constexpr int kHighest = 8;  // 16x
constexpr int kBins = kHighest - kLowest;
constexpr double kBinWidth = 40;
constexpr double kStripHeight = 56;
constexpr double kStripMargin = 18;  // half of an axis label

struct Speedups {
  std::vector<double> device;
  std::vector<double> wall;  // of the same samples; of imported ones none
};

Speedups CountedSpeedups(const Book& book, size_t run) {
  Speedups speedups;
  for (const BookSample& sample : book.samples) {
    const bool counted = book.scoring.with_flagged || !sample.flagged;
    if (sample.run != run || !counted ||
        sample.outcome.verdict != record::Verdict::kCorrect)
      continue;
    const auto speedup = SpeedupOf(sample);
    if (!speedup) continue;
    speedups.device.push_back(*speedup);
    const auto& wall = sample.outcome.wall_speedup;
    if (wall && std::isfinite(*wall)) speedups.wall.push_back(*wall);
  }
  return speedups;
}

double StripX(double speedup) {
  const double at = std::log2(speedup) * 2 - kLowest;
  return std::clamp(at, 0.0, static_cast<double>(kBins)) * kBinWidth +
         kStripMargin;
}

std::string StripSvg(const std::vector<double>& speedups, size_t run,
                     const std::string& label) {
  std::vector<size_t> bins(kBins, 0);
  for (const double speedup : speedups) {
    const double at = std::floor(std::log2(speedup) * 2) - kLowest;
    ++bins[static_cast<size_t>(std::clamp(at, 0.0, kBins - 1.0))];
  }
  const size_t most = *std::max_element(bins.begin(), bins.end());
  std::string svg = fmt::format(
      "<svg class=\"strip\" viewBox=\"0 0 596 {}\" role=\"img\" "
      "aria-label=\"{}\">",
      kStripHeight, html::EscapeHtml(label));
  for (size_t i = 0; i < bins.size(); ++i) {
    if (bins[i] == 0) continue;
    const double height =
        std::max(1.5, static_cast<double>(bins[i]) / static_cast<double>(most) *
                          (kStripHeight - 4));
    svg += fmt::format(
        "<rect class=\"mark {}\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" "
        "height=\"{:.1f}\"/>",
        RunClass(run), kStripMargin + static_cast<double>(i) * kBinWidth + 1,
        kStripHeight - height, kBinWidth - 2, height);
  }
  const double middle = StripX(stats::Median(speedups));
  svg += fmt::format(
      "<line class=\"one\" x1=\"{0:.1f}\" x2=\"{0:.1f}\" y1=\"0\" "
      "y2=\"{1}\"/><line class=\"median\" x1=\"{2:.1f}\" x2=\"{2:.1f}\" "
      "y1=\"0\" y2=\"{1}\"/></svg>",
      StripX(1), kStripHeight, middle);
  return svg;
}

std::string StripAxisSvg() {
  std::string svg =
      "<svg class=\"strip axis\" viewBox=\"0 0 596 18\" aria-hidden=\"true\">";
  for (int exponent = kLowest / 2; exponent <= kHighest / 2; ++exponent) {
    const double speedup = std::exp2(exponent);
    svg += fmt::format(
        "<text class=\"tick middle\" x=\"{:.1f}\" y=\"13\">{}</text>",
        StripX(speedup),
        speedup < 1 ? fmt::format("1/{:.0f}x", 1 / speedup)
                    : fmt::format("{:.0f}x", speedup));
  }
  return svg + "</svg>";
}

}  // namespace

std::string RunKeyHtml(const Book& book) {
  std::string html = "<ul class=\"key\">\n";
  for (size_t i = 0; i < book.runs.size(); ++i)
    html += fmt::format(
        "<li><svg viewBox=\"0 0 34 12\" width=\"34\" height=\"12\" "
        "aria-hidden=\"true\"><path class=\"line {}\" d=\"M0 6h34\"/>{}</svg> "
        "{}</li>\n",
        RunClass(i), Marker(i, 17, 6), Escaped(book.runs[i].name));
  return html + "</ul>\n";
}

std::string CurvesSvg(const Book& book) {
  Plot plot;
  plot.high_x = 0;
  double highest = 0;
  for (const FastCurve& curve : book.curves) {
    if (!IsDrawable(curve)) continue;
    plot.high_x = std::max(plot.high_x, curve.ps.back());
    for (const stats::Interval& value : curve.values)
      highest = std::max(highest, value.high);
  }
  if (!(plot.high_x > 0)) return {};
  plot.high_y = NiceShare(highest);
  std::string svg = OpenSvg(
      "fast_p for growing p, a line and a 95 % interval per run. The numbers "
      "are in the table of all scores.");
  AppendAxes(plot, "",
             fmt::format("p: correct and more than p times as fast as {}",
                         html::Cell(book.baseline)),
             &svg);
  for (const FastCurve& curve : book.curves)
    if (IsDrawable(curve)) AppendCurve(curve, plot, &svg);
  return svg + "</svg>\n";
}

std::string CostSvg(const Book& book) {
  const std::vector<CostPoint> points = CostPoints(book);
  if (points.empty()) return {};
  const Plot plot = CostPlot(points);
  std::string label = "fast_1 against the price of one correct kernel:";
  for (const CostPoint& point : points)
    label += fmt::format(" {}: {:.3g} USD, {};",
                         html::Cell(book.runs[point.run].name), point.usd,
                         ShareText(point.fast.estimate));
  std::string svg = OpenSvg(label);
  AppendAxes(plot, "$",
             "USD per correct kernel (all answers over correct ones)", &svg);
  for (const CostPoint& point : points) {
    const double x = plot.X(point.usd);
    svg += fmt::format(
        "<path class=\"whisker {}\" d=\"M{:.1f} {:.1f}V{:.1f}\"/>{}\n",
        RunClass(point.run), x, plot.Y(point.fast.low), plot.Y(point.fast.high),
        Marker(point.run, x, plot.Y(point.fast.estimate)));
  }
  return svg + CostLabels(book, points, plot) + "</svg>\n";
}

std::string SpeedupsHtml(const Book& book) {
  std::string html;
  for (size_t i = 0; i < book.runs.size(); ++i) {
    const auto [speedups, walls] = CountedSpeedups(book, i);
    if (speedups.empty()) continue;
    std::string words = fmt::format(
        "{} correct samples, median {}, half of them between {} and {}",
        html::FormatCount(static_cast<int64_t>(speedups.size())),
        html::FormatRatio(stats::Median(speedups)),
        html::FormatRatio(stats::Quantile(speedups, 0.25)),
        html::FormatRatio(stats::Quantile(speedups, 0.75)));
    if (!walls.empty())
      words += fmt::format("; by wall time median {} over eager",
                           html::FormatRatio(stats::Median(walls)));
    html += fmt::format(
        "<div class=\"distribution\"><p><b>{}</b> <small>{}</small></p>{}"
        "</div>\n",
        Escaped(book.runs[i].name), html::EscapeHtml(words),
        StripSvg(speedups, i, html::Cell(book.runs[i].name) + ": " + words));
  }
  if (html.empty()) return {};
  return html + "<div class=\"distribution\">" + StripAxisSvg() + "</div>\n";
}

void SetPart(const char* name, const std::string& html, html::Data* page) {
  page->set(fmt::format("has_{}", name), !html.empty());
  page->set(name, html);
}

void SetCharts(const Book& book, const char* of, html::Data* page) {
  std::string charts = kb_report_charts;
  charts.pop_back();  // the line of the tag ends it
  page->set("charts", kainjow::mustache::partial([charts] { return charts; }));
  SetPart("curves", CurvesSvg(book), page);
  SetPart("cost", CostSvg(book), page);
  page->set("run_key", RunKeyHtml(book));
  page->set("curves_are_of", of);
  page->set("curves_scope",
            book.scoring.with_flagged ? "All problems." : "Sound problems.");
}

}  // namespace kb::report
