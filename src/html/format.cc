#include "html/format.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace kb::html {
namespace {

// How many digits after the point show three significant ones of `value`,
// which is not
// negative.
int Decimals(double value) {
  if (value >= 100) return 0;
  if (value >= 10) return 1;
  if (value >= 1) return 2;
  return 3;
}

double ToThreeDigits(double value) {
  if (value == 0) return 0;
  const double unit = std::pow(10, std::floor(std::log10(value)) - 2);
  return std::round(value / unit) * unit;
}

std::string Ratio(double ratio) {
  if (!std::isfinite(ratio)) return "?";
  const double rounded = ToThreeDigits(std::fabs(ratio));
  if (rounded > 0 && rounded < 0.1) return fmt::format("{:.2g}", ratio);
  return fmt::format("{:.{}f}", ratio, Decimals(rounded));
}

std::string End(double end, double estimate) {
  return SaysSomething(end, estimate) ? Ratio(end) : "?";
}

}  // namespace

std::string FormatTime(double microseconds, const char* micro) {
  if (!std::isfinite(microseconds)) return "?";
  const char* sign = microseconds < 0 ? "-" : "";
  double value = ToThreeDigits(std::fabs(microseconds));
  const std::array<const char*, 3> units{micro, "ms", "s"};
  size_t unit = 0;
  while (value >= 1000 && unit + 1 < units.size()) {
    value /= 1000;
    ++unit;
  }
  return fmt::format("{}{:.{}f} {}", sign, value, Decimals(value), units[unit]);
}

bool SaysSomething(double end, double estimate) {
  constexpr double kMost = 1000;
  return end <= kMost * estimate && estimate <= kMost * end;
}

std::string FormatRatio(double ratio) { return Ratio(ratio) + "x"; }

std::string FormatSpeedup(const record::Interval& speedup) {
  return fmt::format("{} [{}, {}]", FormatRatio(speedup.estimate),
                     End(speedup.low, speedup.estimate),
                     End(speedup.high, speedup.estimate));
}

std::string FormatCount(int64_t count) {
  std::string digits = std::to_string(count);
  const size_t first = count < 0 ? 1 : 0;
  for (size_t i = digits.size(); i > first + 3;) {
    i -= 3;
    digits.insert(i, 1, ',');
  }
  return digits;
}

std::string FormatVerdict(const std::optional<record::Verdict>& verdict) {
  if (!verdict) return "not run";
  std::string name = record::VerdictName(*verdict);
  std::replace(name.begin(), name.end(), '_', ' ');
  return name;
}

std::string FormatVerdict(const record::Evaluation& evaluation) {
  return FormatVerdict(evaluation.verdict);
}

}  // namespace kb::html
