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
  ExpectInterval(FastP(Five(), 0), 0.4, 0.154695050878877, 0.708335042351334);
  ExpectInterval(FastP(Five(), 0.8), 0.3, 0.0831051893657779, 0.66958084288474);
  ExpectInterval(FastP(Five(), 1), 0.2, 0.0774689005767394, 0.426696022856202);
  ExpectInterval(FastP(Five(), 2), 0.1, 0.0278664812137682, 0.301033645228487);
}

TEST(FastP, OfOneSampleEachIsTheOriginals) {
  // Correct and faster: 2 of 4; faster but wrong does not count; p is excluded.
  const std::vector<Attempts> problems{{"a", {Correct(1.2)}},
                                       {"b", {Correct(5)}},
                                       {"c", {{true, false, 9}}},
                                       {"d", {Correct(1)}}};
  EXPECT_DOUBLE_EQ(FastP(problems, 1).estimate, 0.5);
  EXPECT_DOUBLE_EQ(FastP(problems, 0).estimate, 0.75);
  EXPECT_DOUBLE_EQ(FastP(problems, 2).estimate, 0.25);
}

TEST(PassAtK, EqualsTheBinomialForm) {
  EXPECT_NEAR(PassAtK(10, 3, 5), 1 - 21.0 / 252, 1e-15);
  EXPECT_NEAR(PassAtK(200, 1, 100), 0.5, 1e-14);
  EXPECT_EQ(PassAtK(4, 0, 4), 0);
  EXPECT_EQ(PassAtK(4, 1, 4), 1);
  EXPECT_EQ(PassAtK(4, 3, 2), 1);
}

TEST(PassAtK, OverProblems) {
  const auto at = [](double p, int64_t k) {
    return *FastPAtK(Five(), p, k).value;
  };
  ExpectInterval(at(0, 1), 0.4, 0.154695050878877, 0.708335042351334);
  ExpectInterval(at(0, 2), 0.566666666666667, 0.266570666047643,
                 0.824714306389726);
  ExpectInterval(at(0, 4), 0.8, 0.336833592390912, 0.96923190573633);
  ExpectInterval(at(1, 2), 0.366666666666667, 0.139180770140406,
                 0.674590954888696);
  ExpectInterval(at(1, 4), 0.6, 0.204638672856992, 0.897383159852089);
}

TEST(PassAtK, IsOfTheProblemsWithKSamples) {
  EXPECT_EQ(FastPAtK(Five(), 0, 5).problems, 0);
  EXPECT_FALSE(FastPAtK(Five(), 0, 5).value);
  EXPECT_EQ(FastPAtKUpper(Five(), 0, 5), 0);
  std::vector<Attempts> problems = Five();
  problems[2].samples.pop_back();
  const Partial four = FastPAtK(problems, 0, 4);
  EXPECT_EQ(four.problems, 4);
  EXPECT_DOUBLE_EQ(four.value->estimate, 1);
}

TEST(FastP, WhatIsOpenHasFailedAndMayTurnOutWell) {
  std::vector<Attempts> problems = Five();
  problems[2].samples[0].open = true;        // c: one of four
  problems[3].samples[0].speed_open = true;  // d: its correct one
  EXPECT_DOUBLE_EQ(FastP(problems, 0).estimate, 0.4);
  EXPECT_DOUBLE_EQ(FastPUpper(problems, 0), 0.45);
  EXPECT_DOUBLE_EQ(FastP(problems, 1).estimate, 0.2);
  EXPECT_DOUBLE_EQ(FastPUpper(problems, 1), 0.3);
  EXPECT_DOUBLE_EQ(FastPAtKUpper(problems, 0, 4), 1);
  EXPECT_DOUBLE_EQ(FastPAtKUpper(problems, 1, 4), 1);
  EXPECT_DOUBLE_EQ(FastPAtK(problems, 1, 4).value->estimate, 0.6);
}

TEST(BestSpeedupAtK, IsTheMeanOverAllChoices) {
  // By listing all choices of k of the four: logarithms of 2, 1, 1, 1 and of
  // 1.5, 3, 1, 1 and of nothing and of 8, 1, 1, 1.
  EXPECT_NEAR(BestSpeedupAtK(Five(), 1, kSeed).value->estimate,
              1.2384162009754869, 1e-12);
  EXPECT_NEAR(BestSpeedupAtK(Five(), 2, kSeed).value->estimate,
              1.5130857494229017, 1e-12);
  EXPECT_NEAR(BestSpeedupAtK(Five(), 4, kSeed).value->estimate,
              2.168943542395397, 1e-12);
  EXPECT_EQ(BestSpeedupAtK(Five(), 5, kSeed).problems, 0);
}

TEST(CompileRate, IsTheMeanOverProblems) {
  ExpectInterval(CompileRate(Five()), 0.8, 0.445025974614367,
                 0.952274040797303);
}

TEST(GeometricMean, CountsCorrectSamplesWithATimeOnly) {
  const Partial mean = GeometricMeanSpeedup(Five(), kSeed);
  ExpectInterval(*mean.value, 1.6435849063289716, 1, 8);
  EXPECT_EQ(mean.problems, 3);
  EXPECT_FALSE(GeometricMeanSpeedup({Five()[2], Five()[3]}, kSeed).value);
}

TEST(GeometricMean, OfFasterOnesAndOfAll) {
  const Partial faster =
      GeometricMeanSpeedup(Five(), kSeed, &Sample::speedup, Over::kFaster);
  EXPECT_EQ(faster.problems, 3);
  EXPECT_NEAR(faster.value->estimate, 2.91295063024394, 1e-12);
  EXPECT_NEAR(GeometricMeanOfAll(Five(), kSeed).estimate, 1.189945991905221,
              1e-12);
}

// A correct sample with so large a share of the roofline.
Sample Timed(double speedup, double roofline) {
  Sample sample = Correct(speedup);
  sample.device_speedup = speedup;
  sample.roofline = roofline;
  return sample;
}

TEST(SolScore, IsHalfAtTheBaselineAndOneAtTheCeiling) {
  const auto of = [](const Sample& sample) {
    return SolScore({{"a", {sample}, true}}, kSeed).value->estimate;
  };
  EXPECT_DOUBLE_EQ(of(Timed(1, 0.25)), 0.5);
  EXPECT_DOUBLE_EQ(of(Timed(4, 1)), 1);
  EXPECT_DOUBLE_EQ(of(Timed(4, 1.04)), 1);
  EXPECT_DOUBLE_EQ(of(Timed(4, 1.06)), 0);  // cannot have done the work
  EXPECT_DOUBLE_EQ(of(Timed(2, 0.5)), 0.75);
  EXPECT_DOUBLE_EQ(of(Timed(0.4, 0.5)), 0);  // eager is above the ceiling
  EXPECT_DOUBLE_EQ(of(Wrong()), 0);
}

TEST(SolScore, IsOfWhatCanBeScored) {
  Sample without_baseline = Timed(1, 0.25);
  without_baseline.device_speedup.reset();
  const Partial some = SolScore({{"a", {Timed(1, 0.25)}, true},
                                 {"b", {without_baseline, Wrong()}, true},
                                 {"c", {Correct(3)}, true}},
                                kSeed);
  EXPECT_EQ(some.problems, 2);
  EXPECT_DOUBLE_EQ(some.value->estimate, 0.25);
  // Of all that is wrong it is 0, of all that cannot be scored there is none.
  EXPECT_EQ(SolScore({{"a", {Wrong()}, true}}, kSeed).value->estimate, 0);
  const Partial none = SolScore(
      {{"a", {without_baseline}, true}, {"b", {Wrong()}, true}}, kSeed);
  EXPECT_EQ(none.problems, 0);
  EXPECT_FALSE(none.value);
}

TEST(SolScore, IsOverProblemsWithACeiling) {
  const Partial score = SolScore({{"a", {Timed(1, 0.25), Wrong()}, true},
                                  {"b", {Wrong()}, true},
                                  {"c", {Correct(2)}, false}},
                                 kSeed);
  EXPECT_EQ(score.problems, 2);
  EXPECT_DOUBLE_EQ(score.value->estimate, 0.125);
  EXPECT_FALSE(SolScore({{"c", {Correct(2)}, false}}, kSeed).value);
}

TEST(SecondsToCorrect, AreThoseOfTheAnswersUpToTheFirst) {
  const auto after = [](Sample sample, int64_t index,
                        std::optional<double> seconds) {
    sample.index = index;
    sample.seconds = seconds;
    return sample;
  };
  const Partial seconds =
      SecondsToCorrect({{"a",
                         {after(Correct(1), 2, 5), after(Wrong(), 0, 10),
                          after(Broken(), 1, 1), after(Correct(1), 3, 100)}},
                        {"b", {after(Correct(1), 0, 4)}},
                        {"c", {after(Wrong(), 0, 9)}},
                        {"d", {after(Correct(1), 0, {})}}},
                       kSeed);
  EXPECT_EQ(seconds.problems, 2);
  EXPECT_DOUBLE_EQ(seconds.value->estimate, 10);
  // Two runs that asked for the same problem number their answers alike.
  Sample first = after(Correct(1), 0, 4), second = after(Correct(1), 1, 1);
  Sample before = after(Wrong(), 0, 5);
  second.asked_by = before.asked_by = "another run";
  EXPECT_DOUBLE_EQ(
      SecondsToCorrect({{"a", {first, before, second}}}, kSeed).value->estimate,
      5);
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
