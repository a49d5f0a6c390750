#include "stats/geometric_mean.h"

#include <gtest/gtest.h>

#include <cmath>

namespace kb::stats {
namespace {

using base::Interval;

// As far in both directions, in logarithms.
Interval Around(double ratio, double half_width) {
  return {ratio, ratio * std::exp(-half_width), ratio * std::exp(half_width)};
}

TEST(GeometricMean, OfOneRatioIsThatRatio) {
  const Interval mean = GeometricMean({{1.5, 1.2, 2.5}});
  EXPECT_NEAR(mean.estimate, 1.5, 1e-12);
  EXPECT_NEAR(mean.low, 1.2, 1e-12);
  EXPECT_NEAR(mean.high, 2.5, 1e-12) << "each side by itself";
}

TEST(GeometricMean, TwiceAndHalfAreOnce) {
  EXPECT_NEAR(GeometricMean({Around(2, 0.1), Around(0.5, 0.1)}).estimate, 1,
              1e-12);
}

TEST(GeometricMean, EqualErrorsShrinkByTheRootOfTheirNumber) {
  for (const int n : {1, 4, 9, 25}) {
    const Interval mean =
        GeometricMean(std::vector<Interval>(n, Around(3, 0.2)));
    EXPECT_NEAR(mean.estimate, 3, 1e-12);
    EXPECT_NEAR(std::log(mean.high / mean.estimate), 0.2 / std::sqrt(n), 1e-12);
    EXPECT_NEAR(std::log(mean.estimate / mean.low), 0.2 / std::sqrt(n), 1e-12);
  }
}

// The cube root of 2 * 3 * 4.5 is 3; in logarithms the sides are 0.3 and 0.4
// and nothing, so sqrt(0.09 + 0.16) / 3 = 1 / 6.
TEST(GeometricMean, ErrorsAddInQuadrature) {
  const Interval mean =
      GeometricMean({Around(2, 0.3), Around(3, 0.4), Around(4.5, 0)});
  EXPECT_NEAR(mean.estimate, 3, 1e-12);
  EXPECT_NEAR(mean.low, 3 * std::exp(-1.0 / 6), 1e-12);
  EXPECT_NEAR(mean.high, 3 * std::exp(1.0 / 6), 1e-12);
}

TEST(GeometricMean, WhatIsNotKnownOfOneIsNotKnownOfAll) {
  const Interval mean = GeometricMean({{2, 0, 3}, {2, 1, 4}});
  EXPECT_EQ(mean.low, 0);
  EXPECT_LT(mean.high, 4);
}

}  // namespace
}  // namespace kb::stats
