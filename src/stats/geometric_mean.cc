#include "stats/geometric_mean.h"

#include <cmath>

#include "base/check.h"

namespace kb::stats {

base::Interval GeometricMean(const std::vector<base::Interval>& ratios) {
  KB_CHECK(!ratios.empty());
  const auto n = static_cast<double>(ratios.size());
  double sum = 0;
  double below = 0;  // squares
  double above = 0;
  for (const base::Interval& ratio : ratios) {
    KB_CHECK(ratio.estimate > 0);
    sum += std::log(ratio.estimate);
    below += std::pow(std::log(ratio.estimate / ratio.low), 2);
    above += std::pow(std::log(ratio.high / ratio.estimate), 2);
  }
  return {std::exp(sum / n), std::exp((sum - std::sqrt(below)) / n),
          std::exp((sum + std::sqrt(above)) / n)};
}

}  // namespace kb::stats
