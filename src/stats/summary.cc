#include "stats/summary.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/check.h"

namespace kb::stats {
namespace {

void CheckValues(const std::vector<double>& values) {
  KB_CHECK(!values.empty());
  for (const double value : values) KB_CHECK(std::isfinite(value));
}

double Between(double below, double above, double share) {
  return below + share * (above - below);
}

double QuantileOfSorted(const std::vector<double>& sorted, double q) {
  const double place = static_cast<double>(sorted.size() - 1) * q;
  const auto below = static_cast<size_t>(place);
  if (below + 1 >= sorted.size()) return sorted.back();
  const double share = place - static_cast<double>(below);
  return Between(sorted[below], sorted[below + 1], share);
}

double Mean(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return sum / static_cast<double>(values.size());
}

// Two passes: differences from the mean keep their digits.
double StandardDeviation(const std::vector<double>& values, double mean) {
  if (values.size() < 2) return 0;
  double sum = 0;
  for (const double value : values) sum += (value - mean) * (value - mean);
  return std::sqrt(sum / static_cast<double>(values.size() - 1));
}

}  // namespace

double Quantile(std::vector<double> values, double q) {
  CheckValues(values);
  KB_CHECK(q >= 0 && q <= 1);
  std::sort(values.begin(), values.end());
  return QuantileOfSorted(values, q);
}

double Median(std::vector<double> values) {
  CheckValues(values);
  // Without sorting all of them: there may be millions.
  const auto below =
      values.begin() + static_cast<std::ptrdiff_t>((values.size() - 1) / 2);
  std::nth_element(values.begin(), below, values.end());
  if (values.size() % 2 == 1) return *below;
  return Between(*below, *std::min_element(below + 1, values.end()), 0.5);
}

Summary Summarize(std::vector<double> values) {
  CheckValues(values);
  std::sort(values.begin(), values.end());
  Summary summary;
  summary.count = static_cast<int64_t>(values.size());
  summary.median = QuantileOfSorted(values, 0.5);
  summary.mean = Mean(values);
  summary.stddev = StandardDeviation(values, summary.mean);
  summary.min = values.front();
  summary.max = values.back();
  summary.q25 = QuantileOfSorted(values, 0.25);
  summary.q75 = QuantileOfSorted(values, 0.75);
  return summary;
}

double RelativeStandardError(const std::vector<double>& values) {
  CheckValues(values);
  const double mean = Mean(values);
  if (values.size() < 2 || mean == 0)
    return std::numeric_limits<double>::infinity();
  return StandardDeviation(values, mean) /
         std::sqrt(static_cast<double>(values.size())) / std::abs(mean);
}

}  // namespace kb::stats
