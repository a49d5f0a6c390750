#include <gtest/gtest.h>

#include <cmath>

#include "stats/bootstrap.h"
#include "stats/summary.h"

namespace kb::stats {
namespace {

TEST(Quantile, InterpolatesLinearlyAsNumpyDoes) {
  // numpy.quantile([7, 1, 3, 10], q); by hand: place 3q in 1, 3, 7, 10.
  const std::vector<double> values{7, 1, 3, 10};
  EXPECT_DOUBLE_EQ(Quantile(values, 0), 1);
  EXPECT_DOUBLE_EQ(Quantile(values, 0.1), 1.6);
  EXPECT_DOUBLE_EQ(Quantile(values, 0.25), 2.5);
  EXPECT_DOUBLE_EQ(Quantile(values, 0.5), 5);
  EXPECT_DOUBLE_EQ(Quantile(values, 0.75), 7.75);
  EXPECT_DOUBLE_EQ(Quantile(values, 1), 10);
  EXPECT_DOUBLE_EQ(Quantile({42}, 0.3), 42);
}

TEST(Summary, OfFiveNumbersIsWhatTheHandComputes) {
  // Sum 30, mean 6; squares of differences 16 + 4 + 1 + 0 + 25 = 46; 46 / 4.
  const Summary summary = Summarize({2, 4, 5, 6, 13});
  EXPECT_EQ(summary.count, 5);
  EXPECT_DOUBLE_EQ(summary.median, 5);
  EXPECT_DOUBLE_EQ(summary.mean, 6);
  EXPECT_DOUBLE_EQ(summary.stddev, std::sqrt(17.5));
  EXPECT_DOUBLE_EQ(summary.min, 2);
  EXPECT_DOUBLE_EQ(summary.max, 13);
  EXPECT_DOUBLE_EQ(summary.q25, 4);
  EXPECT_DOUBLE_EQ(summary.q75, 6);
}

TEST(Summary, OfOneNumberHasNoSpread) {
  const Summary summary = Summarize({3});
  EXPECT_EQ(summary.count, 1);
  EXPECT_DOUBLE_EQ(summary.median, 3);
  EXPECT_DOUBLE_EQ(summary.stddev, 0);
  EXPECT_DOUBLE_EQ(summary.q75, 3);
}

TEST(Summary, SmallSpreadOnALargeMeanSurvives) {
  const Summary summary = Summarize({1e9 + 1, 1e9 + 2, 1e9 + 3});
  EXPECT_DOUBLE_EQ(summary.stddev, 1);
}

TEST(RelativeStandardError, ShrinksWithTheRootOfTheCount) {
  // Mean 10, standard deviation sqrt(2), over sqrt(2) values: 1 / 10.
  EXPECT_DOUBLE_EQ(RelativeStandardError({9, 11}), 0.1);
  // Four values: sqrt(4 / 3) / 2 / 10.
  EXPECT_DOUBLE_EQ(RelativeStandardError({9, 11, 9, 11}),
                   std::sqrt(4.0 / 3) / 2 / 10);
}

TEST(RelativeStandardError, OneValueSaysNothing) {
  EXPECT_TRUE(std::isinf(RelativeStandardError({9})));
}

TEST(Bootstrap, ConstantPairsHaveNoWidth) {
  const Interval interval = RatioOfMedians({{6, 2}, {6, 2}, {6, 2}}, 1);
  EXPECT_DOUBLE_EQ(interval.estimate, 3);
  EXPECT_DOUBLE_EQ(interval.low, 3);
  EXPECT_DOUBLE_EQ(interval.high, 3);
}

// Both sides of a pair drift together: resampled apart, the ratio would spread
// from 1/8 to 8.
TEST(Bootstrap, PairsAreDrawnWhole) {
  const Interval interval =
      RatioOfMedians({{1, 1}, {2, 2}, {4, 4}, {8, 8}, {5, 5}}, 7);
  EXPECT_DOUBLE_EQ(interval.low, 1);
  EXPECT_DOUBLE_EQ(interval.high, 1);
}

TEST(Bootstrap, SpreadPairsGiveAnIntervalAroundTheEstimate) {
  std::vector<Pair> pairs;
  pairs.reserve(40);
  for (int i = 0; i < 40; ++i) pairs.push_back({20.0 + i % 5, 10.0 + i % 3});
  const Interval interval = RatioOfMedians(pairs, 3);
  EXPECT_DOUBLE_EQ(interval.estimate, 2);
  EXPECT_LT(interval.low, 2);
  EXPECT_GT(interval.high, 2);
  EXPECT_GT(interval.low, 1.5);
  EXPECT_LT(interval.high, 2.5);
}

TEST(Bootstrap, TheSeedDecides) {
  std::vector<Pair> pairs;
  pairs.reserve(11);
  for (int i = 0; i < 11; ++i)
    pairs.push_back({20.0 + i * i, 10.0 + 7 * i % 5});
  const Interval a = RatioOfMedians(pairs, 3);
  const Interval b = RatioOfMedians(pairs, 3);
  EXPECT_EQ(a.low, b.low);
  EXPECT_EQ(a.high, b.high);
}

// By hand, of the pairs a = (2, 1) and b = (6, 2):
// draws {a,a}: 2/1, {b,b}: 6/2, {a,b}: 4/1.5; probabilities 1/4, 1/4, 1/2.
// The 2.5 % and 97.5 % quantiles are therefore the extreme ratios.
TEST(Bootstrap, PercentilesOfTwoPairsAreTheExtremes) {
  const Interval interval = RatioOfMedians({{2, 1}, {6, 2}}, 99);
  EXPECT_DOUBLE_EQ(interval.estimate, 4 / 1.5);
  EXPECT_DOUBLE_EQ(interval.low, 2);
  EXPECT_DOUBLE_EQ(interval.high, 3);
}

}  // namespace
}  // namespace kb::stats
