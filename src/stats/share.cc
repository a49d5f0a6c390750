#include "stats/share.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/check.h"

namespace kb::stats {
namespace {

constexpr double kZ = 1.959963984540054;  // of 95 %

double EffectiveSamples(const std::vector<double>& shares, double mean,
                        double samples) {
  const auto items = static_cast<double>(shares.size());
  if (mean <= 0 || mean >= 1) return items;
  double squares = 0;
  for (const double share : shares) squares += (share - mean) * (share - mean);
  // Of the mean: squares / (items - 1) / items.
  if (squares <= 0 || items < 2) return samples;
  return std::min(samples, mean * (1 - mean) * items * (items - 1) / squares);
}

}  // namespace

base::Interval MeanShare(const std::vector<double>& shares, double samples) {
  KB_CHECK(!shares.empty());
  const double mean = std::accumulate(shares.begin(), shares.end(), 0.0) /
                      static_cast<double>(shares.size());
  const double n = EffectiveSamples(shares, mean, samples);
  const double width = 1 + kZ * kZ / n;
  const double middle = (mean + kZ * kZ / (2 * n)) / width;
  const double half =
      kZ / width * std::sqrt(mean * (1 - mean) / n + kZ * kZ / (4 * n * n));
  return {mean, std::clamp(middle - half, 0.0, mean),
          std::clamp(middle + half, mean, 1.0)};
}

base::Interval MeanDifference(const std::vector<double>& differences) {
  KB_CHECK(!differences.empty());
  double sum = 0, squares = 0;
  for (const double difference : differences) {
    sum += difference;
    squares += difference * difference;
  }
  const auto items = static_cast<double>(differences.size());
  const double mean = sum / items;
  const double n = items + 2;
  const double middle = sum / n;
  const double half = kZ * std::sqrt(((squares + 1) / n - middle * middle) / n);
  return {mean, std::clamp(middle - half, -1.0, mean),
          std::clamp(middle + half, mean, 1.0)};
}

}  // namespace kb::stats
