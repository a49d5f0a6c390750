#include "plot.h"

#include <gtest/gtest.h>

namespace kb::report {
namespace {

// One user unit for each unit of a value, upwards from 10.
Plot Plain() {
  Plot plot;
  plot.left = 0;
  plot.right = 10;
  plot.top = 0;
  plot.bottom = 10;
  plot.high_x = plot.high_y = 10;
  return plot;
}

const std::vector<double> kPlaces{0, 2, 5};
const std::vector<stats::Interval> kSteps{{2, 1, 3}, {4, 3, 5}, {6, 5, 7}};

TEST(StepPath, WhatHoldsAtAPlaceHoldsUntilTheNext) {
  EXPECT_EQ(StepPath(Plain(), kPlaces, kSteps, &stats::Interval::estimate),
            "M0.0 8.0H2.0V6.0H5.0V4.0");
}

// Back from the last place, the lower end as far as the upper one: from 5 to 2
// that of the second step, from 2 to 0 that of the first.
TEST(StepBand, IsAsWideAsTheIntervalOfEachStep) {
  EXPECT_EQ(StepBand(Plain(), kPlaces, kSteps),
            "M0.0 7.0H2.0V5.0H5.0V3.0V7.0H2.0V9.0H0.0z");
}

}  // namespace
}  // namespace kb::report
