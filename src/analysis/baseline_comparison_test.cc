#include "analysis/baseline_comparison.h"

#include <gtest/gtest.h>

#include <cmath>

namespace kb::analysis {
namespace {

using record::Baseline;
using record::BaselineMode;

Baseline Of(const std::string& problem, BaselineMode mode, double micros) {
  Baseline baseline;
  baseline.problem_id = baseline.problem_hash = problem;
  baseline.mode = mode;
  baseline.time.emplace();
  baseline.time->median = micros;
  baseline.time->q25 = micros * 0.99;
  baseline.time->q75 = micros * 1.01;
  return baseline;
}

TEST(BaselineComparison, AFileIsLikeItself) {
  const std::vector<Baseline> file{Of("a", BaselineMode::kEager, 3),
                                   Of("b", BaselineMode::kEager, 700),
                                   Of("a", BaselineMode::kCompile, 2)};
  const BaselineComparison same = Compare(file, file);
  ASSERT_EQ(same.modes.size(), 2U);
  EXPECT_EQ(same.modes[0].count, 2);
  for (const ModeComparison& mode : same.modes) {
    EXPECT_DOUBLE_EQ(mode.ratio, 1);
    EXPECT_DOUBLE_EQ(mode.worst, 1);
    EXPECT_DOUBLE_EQ(mode.median, 0);
    EXPECT_EQ(mode.overlap, mode.count);
  }
  EXPECT_EQ(same.first_alone + same.second_alone + same.other_ruler, 0);
}

// The geometric mean of 4 and 1/2 is the root of 2.
TEST(BaselineComparison, RatiosAreOfTheSecondOverTheFirst) {
  const BaselineComparison found = Compare(
      {Of("a", BaselineMode::kEager, 10), Of("b", BaselineMode::kEager, 10)},
      {Of("a", BaselineMode::kEager, 40), Of("b", BaselineMode::kEager, 5)});
  ASSERT_EQ(found.modes.size(), 1U);
  EXPECT_NEAR(found.modes[0].ratio, std::sqrt(2.0), 1e-12);
  EXPECT_DOUBLE_EQ(found.modes[0].worst, 4);
  EXPECT_EQ(found.modes[0].problem, "a");
  EXPECT_NEAR(found.modes[0].median, std::log(8.0) / 2, 1e-12);
  EXPECT_EQ(found.modes[0].overlap, 0);
}

Baseline Faster(const std::string& problem, double speedup) {
  Baseline baseline = Of(problem, BaselineMode::kCompile, 10);
  baseline.speedup = {speedup, speedup * 0.98, speedup * 1.02};
  return baseline;
}

TEST(BaselineComparison, SecondSpeedupsLieInTheFirstsIntervalsOrNot) {
  const BaselineComparison found =
      Compare({Faster("in", 2), Faster("below", 2), Faster("above", 2),
               Of("older", BaselineMode::kCompile, 10), Faster("newer", 2)},
              {Faster("in", 2.03), Faster("below", 1.95), Faster("above", 2.05),
               Faster("older", 2), Of("newer", BaselineMode::kCompile, 10)});
  EXPECT_EQ(found.modes.at(0).count, 5);
  EXPECT_EQ(found.modes.at(0).speedups, 3);
  EXPECT_EQ(found.modes.at(0).inside, 1);
  EXPECT_NE(ToText(found).find(" 1/3 "), std::string::npos) << ToText(found);
}

TEST(BaselineComparison, WhatCannotBeComparedIsCounted) {
  Baseline untimed = Of("c", BaselineMode::kEager, 1);
  untimed.time.reset();
  Baseline small = Of("a", BaselineMode::kEager, 1);
  small.size = record::Size::kSmall;
  Baseline older = Of("d", BaselineMode::kEager, 1);
  older.ruler = 1;
  const BaselineComparison found =
      Compare({Of("a", BaselineMode::kEager, 1), untimed, older},
              {small, Of("c", BaselineMode::kEager, 1),
               Of("d", BaselineMode::kEager, 1)});
  EXPECT_TRUE(found.modes.empty());
  EXPECT_EQ(found.first_alone, 1);
  EXPECT_EQ(found.second_alone, 2);
  EXPECT_EQ(found.other_ruler, 1);
}

TEST(BaselineComparison, ALaterTimeTakesTheEarlierOnesPlace) {
  const BaselineComparison found = Compare(
      {Of("a", BaselineMode::kEager, 9), Of("a", BaselineMode::kEager, 1)},
      {Of("a", BaselineMode::kEager, 2)});
  EXPECT_DOUBLE_EQ(found.modes.at(0).ratio, 2);
}

}  // namespace
}  // namespace kb::analysis
