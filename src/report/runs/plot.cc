#include "plot.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "html/text.h"
#include "overview.h"
#include "ticks.h"

namespace kb::report {
namespace {

constexpr double kRightEdge = 718;  // of the drawing, as OpenSvg has it

std::vector<double> TicksX(const Plot& plot) {
  std::vector<double> ticks;
  if (!plot.log_x) {
    const double step = RoundStep(plot.high_x - plot.low_x, kMostSteps);
    for (int i = 0; plot.low_x + i * step <= plot.high_x * (1 + 1e-9); ++i)
      ticks.push_back(plot.low_x + i * step);
    return ticks;
  }
  const int first = static_cast<int>(std::floor(std::log10(plot.low_x)));
  for (int exponent = first; exponent < first + 12; ++exponent)
    for (const double factor : {1.0, 2.0, 5.0}) {
      const double value = factor * std::pow(10, exponent);
      if (value >= plot.low_x * (1 - 1e-9) && value <= plot.high_x * (1 + 1e-9))
        ticks.push_back(value);
    }
  return ticks;
}

}  // namespace

double Plot::X(double value) const {
  const double clamped = std::clamp(value, low_x, high_x);
  const double share =
      log_x ? std::log(clamped / low_x) / std::log(high_x / low_x)
            : (clamped - low_x) / (high_x - low_x);
  return left + share * (right - left);
}

double Plot::Y(double value) const {
  const double share = (value - low_y) / (high_y - low_y);
  return bottom - std::clamp(share, 0.0, 1.0) * (bottom - top);
}

std::string StepPath(const Plot& plot, const std::vector<double>& xs,
                     const std::vector<stats::Interval>& ys,
                     double stats::Interval::* part) {
  std::string path =
      fmt::format("M{:.1f} {:.1f}", plot.X(xs[0]), plot.Y(ys[0].*part));
  for (size_t i = 1; i < xs.size(); ++i)
    path += fmt::format("H{:.1f}V{:.1f}", plot.X(xs[i]), plot.Y(ys[i].*part));
  return path;
}

std::string StepBand(const Plot& plot, const std::vector<double>& xs,
                     const std::vector<stats::Interval>& ys) {
  std::string path = StepPath(plot, xs, ys, &stats::Interval::high);
  for (size_t i = xs.size() - 1; i > 0; --i)
    path +=
        fmt::format("V{:.1f}H{:.1f}", plot.Y(ys[i - 1].low), plot.X(xs[i - 1]));
  return path + "z";
}

void AppendAxes(const Plot& plot, const char* prefix, const std::string& name,
                std::string* svg) {
  const double shares = plot.high_y > 0.45   ? 0.2
                        : plot.high_y > 0.25 ? 0.1
                                             : 0.05;
  const double step = plot.step_y > 0 ? plot.step_y : shares;
  for (double y = plot.low_y; y <= plot.high_y + 1e-9; y += step)
    *svg += fmt::format(
        "<line class=\"grid\" x1=\"{}\" x2=\"{}\" y1=\"{:.1f}\" "
        "y2=\"{:.1f}\"/><text class=\"tick\" x=\"{}\" y=\"{:.1f}\">{:.3g}"
        "</text>\n",
        plot.left, plot.right, plot.Y(y), plot.Y(y), plot.left - 8,
        plot.Y(y) + 4, y);
  for (const double x : TicksX(plot)) {
    const std::string text = fmt::format("{}{:.3g}", prefix, x);
    const double at = plot.X(x);
    // On a telephone letters are so large that the last one would be cut.
    const bool at_end = at > plot.right - 1 && text.size() > 2;
    *svg += fmt::format(
        "<line class=\"grid\" x1=\"{0:.1f}\" x2=\"{0:.1f}\" y1=\"{1}\" "
        "y2=\"{2}\"/><text class=\"{3}\" x=\"{4:.1f}\" y=\"{5}\">{6}</text>\n",
        at, plot.bottom, plot.bottom + 5, at_end ? "tick" : "tick middle",
        at_end ? kRightEdge : at, plot.bottom + 19, text);
  }
  *svg += fmt::format(
      "<text class=\"title middle\" x=\"{}\" y=\"{}\">{}</text>\n",
      (plot.left + plot.right) / 2, plot.bottom + 38, html::EscapeHtml(name));
}

std::string OpenSvg(const std::string& label) {
  return fmt::format(
      "<svg class=\"chart\" viewBox=\"0 0 720 344\" role=\"img\" "
      "aria-label=\"{}\">\n",
      html::EscapeHtml(label));
}

std::string Marker(size_t run, double x, double y) {
  const std::string style = RunClass(run);
  switch (run % 4) {
    case 0:
      return fmt::format(
          "<circle class=\"mark {}\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"4.5\"/>",
          style, x, y);
    case 1:
      return fmt::format(
          "<path class=\"mark {}\" d=\"M{:.1f} {:.1f}h8v8h-8z\"/>", style,
          x - 4, y - 4);
    case 2:
      return fmt::format(
          "<path class=\"mark {}\" d=\"M{:.1f} {:.1f}l5 9h-10z\"/>", style, x,
          y - 5.5);
    default:
      return fmt::format(
          "<path class=\"mark {}\" d=\"M{:.1f} {:.1f}l5.5 5.5l-5.5 5.5"
          "l-5.5 -5.5z\"/>",
          style, x, y - 5.5);
  }
}

}  // namespace kb::report
