#include "timing/wall.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "made_rounds.h"

namespace kb::timing {
namespace {

using record::Trial;

Trial WallRound(double reference, double candidate, int64_t process = 0) {
  Trial trial;
  trial.timed = trial.counts = true;
  trial.process = process;
  trial.reference_wall_us = reference;
  trial.candidate_wall_us = candidate;
  return trial;
}

// A chain of k calls of t microseconds that costs `once` besides.
struct Known {
  double once, t;
  [[nodiscard]] double Chain(int64_t k) const {
    return once + static_cast<double>(k) * t;
  }
};

OfBoth WallOfKnown(const Known& reference, const Known& candidate,
                   double waits_when_alone = 0) {
  constexpr int64_t kCalls = 33;
  constexpr double kConstant = 150;
  return WallMicros(
      {kCalls, reference.Chain(1), reference.Chain(kCalls)},
      {kCalls, candidate.Chain(1) + waits_when_alone, candidate.Chain(kCalls)},
      kConstant);
}

TEST(WallMicros, WhatAChainCostsOnceIsNoPartOfACall) {
  for (const double once : {155.0, 210.0, 235.0}) {
    const OfBoth wall = WallOfKnown({210, 17}, {once, 13});
    EXPECT_NEAR(wall.reference, 17, 1e-9);
    EXPECT_NEAR(wall.candidate, 13, 1e-9) << once;
  }
}

TEST(WallMicros, WhoWaitsWhenItIsCalledOnceGainsWhatAllAreSpared) {
  constexpr Known kReference{210, 17}, kCandidate{160, 13};
  constexpr double kSpared = 210 + 30 - 160;
  for (const double waits : {10.0, 80.0, 150.0, 420.0, 10000.0}) {
    const double gain =
        13 - WallOfKnown(kReference, kCandidate, waits).candidate;
    EXPECT_GT(gain, 0);
    EXPECT_LE(gain, kSpared / 32) << waits;
  }
}

TEST(WallMicros, ACallTooLongForAChainIsReadAlone) {
  const OfBoth wall = WallMicros({1, 5150, 0}, {1, 3150, 0}, 150);
  EXPECT_DOUBLE_EQ(wall.reference, 5000);
  EXPECT_DOUBLE_EQ(wall.candidate, 3000);
  EXPECT_DOUBLE_EQ(WallMicros({1, 150, 0}, {1, 149, 0}, 150).candidate, 1e-3);
}

// Whatever the candidate does: the reference's chain is its own.
TEST(WallMicros, ASlowCandidateLeavesTheReferencesChain) {
  const Known reference{210, 17};
  const OfBoth wall = WallMicros({33, reference.Chain(1), reference.Chain(33)},
                                 {1, 20150, 0}, 150);
  EXPECT_NEAR(wall.reference, 17, 1e-9);
  EXPECT_DOUBLE_EQ(wall.candidate, 20000);
}

// The host was half as fast in two rounds, and for the candidate's part of a
// third one.
TEST(Wall, TheRatioIsTheMedianOfTheRounds) {
  const auto wall =
      WallOf({WallRound(20, 10), WallRound(40, 20), WallRound(42, 21),
              WallRound(20, 20), WallRound(20, 10)});
  ASSERT_TRUE(wall);
  EXPECT_DOUBLE_EQ(wall->reference.median, 20);
  EXPECT_DOUBLE_EQ(wall->candidate.median, 20);
  EXPECT_DOUBLE_EQ(wall->speedup.estimate, 2);
  EXPECT_NEAR(wall->speedup.low * wall->speedup.high, 4, 1e-9);
}

TEST(Wall, OnlyRoundsThatCountAndHaveItAreTaken) {
  Trial disturbed = WallRound(900, 10);
  disturbed.counts = false;
  Trial untimed = WallRound(900, 10);
  untimed.timed = false;
  EXPECT_FALSE(WallOf({disturbed, untimed, WallRound(0, 0)}));
  const auto wall = WallOf({disturbed, WallRound(20, 10), untimed,
                            WallRound(0, 0), WallRound(20, 10)});
  ASSERT_TRUE(wall);
  EXPECT_EQ(wall->reference.count, 2);
  EXPECT_DOUBLE_EQ(wall->speedup.estimate, 2);
}

// A matrix times a vector in PyTorch was 0.80 times as long as a kernel in one
// run and 1.06 times in another, on a host that was slower. Nothing of the kind
// happens to what the device takes long for, or to a thing against itself.
TEST(Wall, AnotherHostMayBeSlowerAtOneSideOfAShortCall) {
  const auto width = [](double reference, double candidate) {
    const Trial round = WallRound(reference, candidate);
    const auto wall = WallOf({round, round, round, round});
    return wall ? wall->speedup.high / wall->speedup.low : 0;
  };
  EXPECT_GT(width(24, 20), 1.6);
  EXPECT_LT(width(20, 20), 1.2);
  EXPECT_LT(width(9000, 6000), 1.2);
}

// Three rounds that agree by chance know no more than rounds usually do.
TEST(Wall, FewRoundsDoNotMakeANarrowInterval) {
  const auto one = WallOf({WallRound(20, 10)});
  const auto three =
      WallOf({WallRound(20, 10), WallRound(20, 10), WallRound(20, 10)});
  ASSERT_TRUE(one && three);
  EXPECT_GT(one->speedup.high, 1.05 * one->speedup.estimate);
  EXPECT_GT(three->speedup.high, 1.02 * three->speedup.estimate);
  EXPECT_LT(three->speedup.high, one->speedup.high);
}

// Of a thing against itself the ratio is 1, whatever rounds and processes do.
TEST(Wall, TheIntervalCoversAThingAgainstItself) {
  constexpr int kRuns = 400;
  struct Case {
    int processes;
    double round, process;
  };
  for (const Case& known : {Case{1, 0.03, 0.01}, Case{2, 0.03, 0.01},
                            Case{2, 0.10, 0.01}, Case{5, 0.05, 0.02}}) {
    Noise noise(1);
    int covered = 0;
    for (int run = 0; run < kRuns; ++run) {
      std::vector<Trial> trials;
      for (int process = 0; process < known.processes; ++process) {
        const double shift = noise(known.process);
        for (int round = 0; round < 3; ++round)
          trials.push_back(WallRound(
              20 * std::exp(shift + noise(known.round / std::numbers::sqrt2)),
              20 * std::exp(noise(known.round / std::numbers::sqrt2)),
              process));
      }
      const auto wall = WallOf(trials);
      ASSERT_TRUE(wall);
      covered += wall->speedup.low <= 1 && wall->speedup.high >= 1 ? 1 : 0;
    }
    EXPECT_GE(covered, kRuns * 9 / 10) << known.processes << " " << known.round;
  }
}

}  // namespace
}  // namespace kb::timing
