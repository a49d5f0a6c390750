#include "chart.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "html/format.h"
#include "ticks.h"

namespace kb::report {
namespace {

using record::Evaluation;
using record::Trial;

// --- Speedups ---

constexpr double kBarWidth = 148;  // user units of the inline SVGs
constexpr double kBarHeight = 22;
constexpr double kBarMargin = 4;
constexpr double kMinTickDistance = 28;

double PowerOfTwo(double exponent) { return std::exp2(exponent); }

double BarX(double ratio, const SpeedupAxis& axis) {
  const double clamped = std::clamp(ratio, axis.low, axis.high);
  const double share =
      std::log2(clamped / axis.low) / std::log2(axis.high / axis.low);
  return kBarMargin + share * (kBarWidth - 2 * kBarMargin);
}

// "1/4", "1", "8": the axis ends at powers of two.
std::string Tick(double ratio) {
  if (ratio < 1) return fmt::format("1/{:.0f}x", 1 / ratio);
  return fmt::format("{:.0f}x", ratio);
}

// --- Trials ---

constexpr double kWidth = 960;
constexpr double kLeft = 64;
constexpr double kRight = kWidth - 12;

// A linear scale from `low` at the bottom to `high`.
struct Panel {
  double top, bottom;  // y of its edges
  double low, high;    // values there

  double Y(double value) const {
    const double share = (std::clamp(value, low, high) - low) / (high - low);
    return bottom - share * (bottom - top);
  }
};

std::vector<const Trial*> TimedTrials(const Evaluation& evaluation) {
  std::vector<const Trial*> timed;
  for (const Trial& trial : evaluation.trials)
    if (trial.timed) timed.push_back(&trial);
  return timed;
}

double TrialX(size_t i, size_t count) {
  const double step = (kRight - kLeft) / static_cast<double>(count);
  return kLeft + (static_cast<double>(i) + 0.5) * step;
}

// 250 µs, 1.5 ms: ticks are round numbers, so as many digits as they have.
std::string TickLabel(double us, double highest) {
  if (us == 0) return "0";
  if (highest >= 1e6) return fmt::format("{:g} s", us / 1e6);
  if (highest >= 1e3) return fmt::format("{:g} ms", us / 1e3);
  return fmt::format("{:g} {}", us, html::kMicro);
}

void AppendGrid(const Panel& panel, std::string* svg) {
  const double step = RoundStep(panel.high - panel.low, 3);
  for (double value = std::ceil(panel.low / step) * step;
       value <= panel.high + step * 1e-9; value += step) {
    const double y = panel.Y(value);
    const double shown = std::fabs(value) < step * 1e-9 ? 0 : value;
    *svg += fmt::format(
        "<line class=\"grid\" x1=\"{}\" x2=\"{}\" y1=\"{:.1f}\" "
        "y2=\"{:.1f}\"/><text class=\"tick\" x=\"{}\" y=\"{:.1f}\">{}</text>",
        kLeft, kRight, y, y, kLeft - 8, y + 4, TickLabel(shown, panel.high));
  }
}

void AppendTitle(const Panel& panel, const char* title, std::string* svg) {
  *svg += fmt::format("<text class=\"title\" x=\"{}\" y=\"{}\">{}</text>",
                      kLeft, panel.top - 8, title);
}

// Small enough that 500 neighbours can be told apart.
double Radius(size_t count) { return count > 150 ? 2 : count > 60 ? 2.8 : 3.6; }

const char* PointClass(const Trial& trial) {
  return trial.counts ? "point" : "point out";
}

void AppendTimes(const std::vector<const Trial*>& trials, const Panel& panel,
                 std::string* svg) {
  const size_t count = trials.size();
  const double half =
      std::min(6.0, (kRight - kLeft) / 2.4 / static_cast<double>(count));
  for (size_t i = 0; i < count; ++i) {
    const Trial& trial = *trials[i];
    const double x = TrialX(i, count);
    *svg +=
        fmt::format("<path class=\"reference\" d=\"M{:.1f} {:.1f}h{:.1f}\"/>",
                    x - half, panel.Y(trial.reference_us), 2 * half);
    *svg += fmt::format(
        "<circle class=\"{}\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{}\"/>",
        PointClass(trial), x, panel.Y(trial.candidate_us), Radius(count));
  }
}

Panel TimesPanel(const std::vector<const Trial*>& trials) {
  double highest = 0;
  for (const Trial* trial : trials)
    highest = std::max({highest, trial->reference_us, trial->candidate_us});
  return {30, 210, 0, std::max(highest * 1.08, 1e-3)};
}

bool AllFinite(const std::vector<const Trial*>& trials) {
  return std::all_of(trials.begin(), trials.end(), [](const Trial* trial) {
    return std::isfinite(trial->reference_us) &&
           std::isfinite(trial->candidate_us);
  });
}

}  // namespace

SpeedupAxis AxisFor(const std::vector<Evaluation>& evaluations) {
  double low = -1;  // exponents of two
  double high = 1;
  for (const Evaluation& evaluation : evaluations) {
    const auto& speedup = evaluation.speedup;
    if (!speedup || !(speedup->low > 0) || !std::isfinite(speedup->high))
      continue;
    low = std::min(low, std::floor(std::log2(speedup->low)));
    high = std::max(high, std::ceil(std::log2(speedup->high)));
  }
  return {PowerOfTwo(std::max(low, -6.0)), PowerOfTwo(std::min(high, 10.0))};
}

std::string SpeedupScaleSvg(const SpeedupAxis& axis) {
  const double one = BarX(1, axis);
  const auto text = [&](double ratio, const char* anchor) {
    const double x = BarX(ratio, axis);
    // The middle comes first; an end that would touch it stays blank.
    if (x != one && std::fabs(x - one) < kMinTickDistance) return std::string();
    return fmt::format(
        "<text x=\"{:.1f}\" y=\"12\" text-anchor=\"{}\">{}</text>", x, anchor,
        Tick(ratio));
  };
  return fmt::format(
      "<svg class=\"scale\" viewBox=\"0 0 {} 16\" width=\"{}\" height=\"16\" "
      "aria-hidden=\"true\">{}{}{}</svg>",
      kBarWidth, kBarWidth, text(axis.low, "start"), text(1, "middle"),
      text(axis.high, "end"));
}

std::string SpeedupSvg(const record::Interval& speedup,
                       const SpeedupAxis& axis) {
  if (!std::isfinite(speedup.estimate) || !(speedup.estimate > 0)) return {};
  if (std::isnan(speedup.low) || std::isnan(speedup.high)) return {};
  const double one = BarX(1, axis);
  const double end = BarX(speedup.estimate, axis);
  const double low = BarX(speedup.low, axis);
  const double high = BarX(speedup.high, axis);
  const double middle = kBarHeight / 2;
  return fmt::format(
      "<svg class=\"bar {}\" viewBox=\"0 0 {} {}\" width=\"{}\" height=\"{}\" "
      "role=\"img\" aria-label=\"speedup {}, on a logarithmic axis\">"
      "<line class=\"one\" x1=\"{:.1f}\" x2=\"{:.1f}\" y1=\"0\" y2=\"{}\"/>"
      "<rect x=\"{:.1f}\" y=\"{}\" width=\"{:.1f}\" height=\"8\" rx=\"1\"/>"
      "<path class=\"whisker\" d=\"M{:.1f} {}H{:.1f}M{:.1f} {}v8M{:.1f} "
      "{}v8\"/></svg>",
      speedup.estimate >= 1 ? "faster" : "slower", kBarWidth, kBarHeight,
      kBarWidth, kBarHeight, html::FormatSpeedup(speedup), one, one, kBarHeight,
      std::min(one, end), middle - 4, std::max(1.0, std::fabs(end - one)), low,
      middle, high, low, middle - 4, high, middle - 4);
}

std::string TrialsSvg(const Evaluation& evaluation) {
  const auto trials = TimedTrials(evaluation);
  if (trials.empty() || !AllFinite(trials)) return {};
  const auto counted =
      std::count_if(trials.begin(), trials.end(),
                    [](const Trial* trial) { return trial->counts; });
  std::string svg = fmt::format(
      "<svg class=\"trials\" viewBox=\"0 0 {} {}\" role=\"img\" "
      "aria-label=\"Times of {} timed trials, of which {} count. The numbers "
      "are in the table of raw trials below.\">",
      kWidth, 236, trials.size(), counted);
  const Panel times = TimesPanel(trials);
  AppendTitle(times, "Time of one call in each trial", &svg);
  AppendGrid(times, &svg);
  AppendTimes(trials, times, &svg);
  svg += fmt::format(
      "<text class=\"title\" x=\"{}\" y=\"{}\" text-anchor=\"end\">trial 1 to "
      "{}, in order</text></svg>",
      kRight, 230, trials.size());
  return svg;
}

}  // namespace kb::report
