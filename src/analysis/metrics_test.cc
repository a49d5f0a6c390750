#include "analysis/metrics.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "analysis/compare.h"

// Expected values come from a separate computation (Python, exact binomials,
// the documented generator and quantile), not from this code.

namespace kb::analysis {
namespace {

constexpr uint64_t kSeed = 5;

Sample Correct(std::optional<double> speedup) { return {true, true, speedup}; }
Sample Wrong() { return {true, false, {}}; }
Sample Broken() { return {false, false, {}}; }

const std::vector<Attempts>& Five() {
  static const std::vector<Attempts> kProblems{
      {"a", {Correct(2), Correct(0.5), Wrong(), Broken()}},
      {"b", {Correct(1.5), Correct(3), Correct(1), Correct(0.9)}},
      {"c", {Wrong(), Wrong(), Wrong(), Wrong()}},
      {"d", {Correct({}), Wrong(), Wrong(), Wrong()}},
      {"e", {Broken(), Broken(), Correct(8), Broken()}},
  };
  return kProblems;
}

void ExpectInterval(const stats::Interval& interval, double estimate,
                    double low, double high) {
  EXPECT_NEAR(interval.estimate, estimate, 1e-12);
  EXPECT_NEAR(interval.low, low, 1e-12);
  EXPECT_NEAR(interval.high, high, 1e-12);
}

TEST(FastP, IsTheMeanOverProblemsWithItsInterval) {
  ExpectInterval(FastP(Five(), 0, kSeed), 0.4, 0.15, 0.7);
  ExpectInterval(FastP(Five(), 0.8, kSeed), 0.3, 0.05, 0.65);
  ExpectInterval(FastP(Five(), 1, kSeed), 0.2, 0.05, 0.35);
  ExpectInterval(FastP(Five(), 2, kSeed), 0.1, 0, 0.2);
}

TEST(FastP, OfOneSampleEachIsTheOriginals) {
  // Correct and faster: 2 of 4; faster but wrong does not count; p is excluded.
  const std::vector<Attempts> problems{{"a", {Correct(1.2)}},
                                       {"b", {Correct(5)}},
                                       {"c", {{true, false, 9}}},
                                       {"d", {Correct(1)}}};
  EXPECT_DOUBLE_EQ(FastP(problems, 1, 0).estimate, 0.5);
  EXPECT_DOUBLE_EQ(FastP(problems, 0, 0).estimate, 0.75);
  EXPECT_DOUBLE_EQ(FastP(problems, 2, 0).estimate, 0.25);
}

TEST(PassAtK, EqualsTheBinomialForm) {
  EXPECT_NEAR(PassAtK(10, 3, 5), 1 - 21.0 / 252, 1e-15);
  EXPECT_NEAR(PassAtK(200, 1, 100), 0.5, 1e-14);
  EXPECT_EQ(PassAtK(4, 0, 4), 0);
  EXPECT_EQ(PassAtK(4, 1, 4), 1);
  EXPECT_EQ(PassAtK(4, 3, 2), 1);
}

TEST(PassAtK, OverProblems) {
  ExpectInterval(*FastPAtK(Five(), 0, 1, kSeed), 0.4, 0.15, 0.7);
  ExpectInterval(*FastPAtK(Five(), 0, 2, kSeed), 17.0 / 30, 4.0 / 15,
                 13.0 / 15);
  ExpectInterval(*FastPAtK(Five(), 0, 4, kSeed), 0.8, 0.4, 1);
  ExpectInterval(*FastPAtK(Five(), 1, 2, kSeed), 11.0 / 30, 0.1, 19.0 / 30);
  ExpectInterval(*FastPAtK(Five(), 1, 4, kSeed), 0.6, 0.2, 1);
}

TEST(PassAtK, NeedsKSamplesOfEveryProblem) {
  EXPECT_FALSE(FastPAtK(Five(), 0, 5, kSeed));
}

TEST(CompileRate, IsTheMeanOverProblems) {
  ExpectInterval(CompileRate(Five(), kSeed), 0.8, 0.5, 1);
}

TEST(GeometricMean, CountsCorrectSamplesWithATimeOnly) {
  ExpectInterval(*GeometricMeanSpeedup(Five(), kSeed), 1.6435849063289716, 1,
                 8);
  EXPECT_FALSE(GeometricMeanSpeedup({Five()[2], Five()[3]}, kSeed));
}

std::vector<Attempts> Shares(const std::vector<int>& of_four) {
  std::vector<Attempts> problems;
  for (size_t i = 0; i < of_four.size(); ++i) {
    Attempts attempts{fmt::format("p{}", i), {}};
    for (int j = 0; j < 4; ++j)
      attempts.samples.push_back(j < of_four[i] ? Correct(2) : Wrong());
    problems.push_back(attempts);
  }
  return problems;
}

TEST(Compare, SmallCaseIsExact) {
  // Differences 1/2, 1/4, -1/4, 3/4, 1, 0: 6 of 32 sign choices are as large.
  const Comparison found =
      Compare(Shares({2, 1, 0, 3, 4, 2}), Shares({0, 0, 1, 0, 0, 2}), 0, 1);
  EXPECT_EQ(found.problems, 6);
  EXPECT_EQ(found.better, 4);
  EXPECT_EQ(found.worse, 1);
  EXPECT_NEAR(found.difference.estimate, 0.375, 1e-12);
  EXPECT_DOUBLE_EQ(found.p_value, 0.1875);
}

TEST(Compare, OnlyCommonProblemsCount) {
  std::vector<Attempts> first = Shares({4, 4});
  first[1].problem = "other";
  const Comparison found = Compare(first, Shares({0, 0}), 0, 1);
  EXPECT_EQ(found.problems, 1);
  EXPECT_DOUBLE_EQ(found.p_value, 1);  // one sign either way
  EXPECT_EQ(Compare(first, {}, 0, 1).problems, 0);
}

TEST(Compare, ManyProblemsThatAllFavourOneAreNoChance) {
  const std::vector<int> all(40, 4), none(40, 0);
  const Comparison found = Compare(Shares(all), Shares(none), 0, 1);
  EXPECT_LT(found.p_value, 1e-3);
  const Comparison same = Compare(Shares(all), Shares(all), 0, 1);
  EXPECT_DOUBLE_EQ(same.p_value, 1);
}

}  // namespace
}  // namespace kb::analysis
