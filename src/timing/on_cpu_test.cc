#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "made_rounds.h"
#include "timing/estimate.h"

namespace kb::timing {
namespace {

using record::Interval;
using record::Ruler;
using record::Trial;

// What one round reads on cpu where the first call of a chain takes so much
// longer than `call`, microseconds.
Trial OnCpu(double call, double late, double candidate, double candidate_late,
            const Ruler& ruler) {
  Trial trial = Round(call, candidate, ruler, 20);
  trial.reference_one_us += late;
  trial.reference_chain_us += late;
  trial.candidate_one_us += candidate_late;
  trial.candidate_chain_us += candidate_late;
  return trial;
}

// One compiled loop against PyTorch's, 7.5 times as fast, was read as 1.68 and
// as 129 times as fast: the interpreter's caches were cold, now 200, now 500
// us.
TEST(Sides, OnCpuAnInterpreterThatWasStoppedIsNoPartOfACall) {
  const Ruler ruler = ChainsOf(64, 100, 0.5);
  std::vector<Trial> native, twin;
  for (const double late : {470.0, 210.0, 300.0, 650.0}) {
    native.push_back(OnCpu(30, late, 4, 0, ruler));
    twin.push_back(OnCpu(30, late, 30, 150 + late, ruler));
  }
  EXPECT_NEAR(Speedup(native, ruler, false).estimate, 7.5, 1);
  EXPECT_NEAR(ReferenceTime(native, ruler).median, 30, 3);
  EXPECT_NEAR(CandidateTime(native, ruler).median, 4, 0.01);
  EXPECT_NEAR(Speedup(twin, ruler, false).estimate, 1, 0.1);
}

// Its first call does the work of all: beyond what the reference takes alone
// and the allowance it counts.
TEST(Sides, OnCpuCallsThatAreDoneTogetherCount) {
  const Ruler ruler = ChainsOf(64, 100, 0.5);
  std::vector<Trial> trials(4, OnCpu(30, 200, 0, 63 * 30, ruler));
  EXPECT_LT(Speedup(trials, ruler, false).estimate, 0.05);
}

// However long the pauses are; a wall time has no constant taken off.
TEST(Sides, ACallOnCpuAlwaysTakesTime) {
  const Ruler alone = ChainsOf(1, 100, 0.5);
  const Ruler chained = ChainsOf(10, 100, 0.5);
  EXPECT_DOUBLE_EQ(RoundMicros(3000, 0, 0, alone), 3000);
  EXPECT_DOUBLE_EQ(RoundMicros(40, 400, 0, chained), 40);
  EXPECT_DOUBLE_EQ(RoundMicros(9000, 400, 0, chained), 40);
}

// Read on two busy processors, a reference against itself: pauses of 4 ms lay
// in most readings of no call. It was 66,000 times as fast as itself.
TEST(Sides, PausesInReadingsOfNoCallLeaveACallItsTime) {
  const Ruler ruler = ChainsOf(1, 100, 0.5);
  const std::vector<std::array<double, 3>> readings = {
      {3387.6, 2839.9, 11.0},   {2955.9, 2954.2, 3794.9},
      {2550.2, 3099.3, 3800.4}, {6190.0, 7117.7, 3721.3},
      {4260.6, 2801.7, 5061.9}, {7086.4, 6365.5, 10.9}};
  std::vector<Trial> trials;
  for (const auto& [reference, candidate, constant] : readings) {
    Trial trial = Round(0, 0, ruler, constant);
    trial.reference_one_us = reference;
    trial.candidate_one_us = candidate;
    trials.push_back(trial);
  }
  const Interval found = Speedup(trials, ruler, false);
  EXPECT_GT(found.estimate, 0.7);
  EXPECT_LT(found.estimate, 1.4);
  EXPECT_LT(found.low, 1);
  EXPECT_GT(found.high, 1);
  EXPECT_GT(CandidateTime(trials, ruler).min, 2600) << "of no round nothing";
}

// Pauses of `micros` on average in most readings, as of a host on which others
// want the cores.
std::vector<Trial> Busy(double reference, double candidate, double micros,
                        const Ruler& ruler, Noise* noise) {
  constexpr int kRounds = 6;
  std::vector<Trial> trials;
  for (int round = 0; round < kRounds; ++round) {
    Trial trial = OnCpu(reference, 300, candidate, 100, ruler);
    for (double Trial::* reading :
         {&Trial::reference_one_us, &Trial::reference_chain_us,
          &Trial::candidate_one_us, &Trial::candidate_chain_us})
      // Of two squares the sum is exponential.
      trial.*reading +=
          (std::pow((*noise)(1), 2) + std::pow((*noise)(1), 2)) * micros / 2;
    trials.push_back(trial);
  }
  return trials;
}

// With four others on two processors a compiled loop that is seven times as
// fast was read as 0.00, 0.35 and 0.86 [0.45, 1.60] times.
TEST(Speedup, OnABusyCpuTheIntervalHasTheTruth) {
  constexpr int kRuns = 300;
  const Ruler ruler = ChainsOf(64, 100, 0.5);
  for (const double truth : {1.0, 7.0})
    for (const double micros : {20.0, 500.0, 3000.0}) {
      Noise noise(3);
      int covered = 0;
      int near = 0;
      for (int run = 0; run < kRuns; ++run) {
        const Interval found =
            Speedup(Busy(28, 28 / truth, micros, ruler, &noise), ruler, false);
        covered += found.low <= truth && found.high >= truth ? 1 : 0;
        near +=
            found.estimate > truth / 8 && found.estimate < truth * 8 ? 1 : 0;
      }
      EXPECT_GE(covered, kRuns * 9 / 10) << truth << " " << micros;
      EXPECT_GE(near, kRuns * 8 / 10) << truth << " " << micros;
    }
}

// Exponential pauses: of one round an interval held the truth in 45 of 100
// cases, of two in 78.
TEST(Speedup, OnCpuTheIntervalOfFewRoundsHasTheTruth) {
  constexpr int kTimes = 1000;
  const Ruler ruler = ChainsOf(1, 100, 0.5);
  for (const double micros : {30.0, 100.0})  // of 1 ms
    for (int rounds = 1; rounds < 7; ++rounds) {
      Noise noise(static_cast<uint64_t>(rounds));
      const auto pause = [&] {
        return (std::pow(noise(1), 2) + std::pow(noise(1), 2)) * micros / 2;
      };
      int covered = 0;
      for (int i = 0; i < kTimes; ++i) {
        std::vector<Trial> trials;
        for (int round = 0; round < rounds; ++round)
          trials.push_back(Round(1000 + pause(), 1000 + pause(), ruler, 20));
        const Interval found = Speedup(trials, ruler, false);
        covered += found.low <= 1 && found.high >= 1 ? 1 : 0;
      }
      EXPECT_GE(covered, 0.92 * kTimes) << rounds << " " << micros;
    }
}

TEST(Speedup, OnCpuOneRoundSaysNothing) {
  const Ruler ruler = ChainsOf(1, 100, 0.5);
  const Interval found = Speedup({Round(1000, 800, ruler, 20)}, ruler, false);
  EXPECT_NEAR(found.estimate, 1.25, 1e-9);
  EXPECT_GT(found.high, 1000);
  EXPECT_LT(found.low, 0.001);
}

// On one that is not, it knows something.
TEST(Speedup, OnAQuietCpuTheIntervalIsNarrow) {
  const Ruler ruler = ChainsOf(64, 100, 0.5);
  Noise noise(4);
  const Interval found = Speedup(Busy(28, 28, 20, ruler, &noise), ruler, false);
  EXPECT_LT(found.high / found.low, 1.35);
}

// Calls of 4 ms that lose the processor every time beside those of 1 ms that
// do not: all readings agree on what is wrong. What they waited says so.
TEST(Speedup, WhatASideWaitedIsInTheInterval) {
  Ruler ruler = ChainsOf(3, 100, 0.5);
  const std::vector<Trial> trials(6, Round(1000, 7000, ruler, 20));
  const Interval blind = Speedup(trials, ruler, false);
  EXPECT_LT(blind.high, 0.25);
  ruler.candidate_waited = 0.43;
  const Interval found = Speedup(trials, ruler, false);
  EXPECT_EQ(found.estimate, blind.estimate) << "it could be made up";
  EXPECT_EQ(found.low, blind.low);
  EXPECT_GE(found.high, 0.25);
  ruler.reference_waited = 0.2;
  EXPECT_DOUBLE_EQ(Speedup(trials, ruler, false).low, 0.8 * blind.low);
  EXPECT_EQ(Speedup(trials, ruler, true).low,
            Speedup(trials, ChainsOf(3, 100, 0.5), true).low)
      << "nobody waits on a GPU";
  ruler.candidate_waited = 1;
  EXPECT_TRUE(std::isfinite(Speedup(trials, ruler, false).high));
}

// Where noise leaves no slope, a call takes what the chain says in all, and
// what is known is next to nothing.
TEST(Speedup, OnABusyCpuNoTimeIsNothing) {
  const Ruler ruler = ChainsOf(64, 100, 0.5);
  std::vector<Trial> trials(4, OnCpu(30, 0, 30, 0, ruler));
  for (Trial& trial : trials) trial.reference_one_us += 5000;
  trials[0].reference_one_us += 3000;
  EXPECT_NEAR(ReferenceTime(trials, ruler).median, 30, 5);
  EXPECT_NEAR(Speedup(trials, ruler, false).estimate, 1, 0.2);
}

}  // namespace
}  // namespace kb::timing
