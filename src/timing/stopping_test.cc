#include "timing/stopping.h"

#include <gtest/gtest.h>

#include "made_rounds.h"
#include "timing/estimate.h"

namespace kb::timing {
namespace {

using record::Ruler;
using record::Trial;

record::Policy Rules() {
  record::Policy policy;
  policy.min_timed_trials = 10;
  policy.max_timed_trials = 40;
  policy.timed_seconds = 5;
  policy.relative_error = 0.01;
  return policy;
}

Ruler Chains() {
  Ruler ruler;
  ruler.calls = 11;
  ruler.alone_us = 3;
  return ruler;
}

// Rounds of calls of 100 us whose chains differ by up to `spread` us.
std::vector<Trial> Rounds(int count, double spread, bool counts = true) {
  std::vector<Trial> trials;
  for (int i = 0; i < count; ++i) {
    Trial trial;
    trial.timed = true;
    trial.counts = counts;
    trial.constant_us = 150;
    trial.reference_one_us = trial.candidate_one_us = 250;
    trial.reference_chain_us = trial.candidate_chain_us =
        1250 + spread * (i % 5 - 2) / 2;
    trials.push_back(trial);
  }
  return trials;
}

constexpr double kSteady = 0;
constexpr double kWild = 900;

bool Done(const std::vector<Trial>& trials, double seconds_spent = 0) {
  return StoppingRule(Rules(), true).Done(trials, Chains(), seconds_spent);
}

TEST(StoppingRule, NeverBeforeTheMinimum) {
  EXPECT_FALSE(Done({}, 1000));
  EXPECT_FALSE(Done(Rounds(9, kSteady)));
  EXPECT_FALSE(Done(Rounds(9, kSteady), 1000)) << "not for time either";
}

TEST(StoppingRule, StopsWhenTheRatioIsKnown) {
  EXPECT_TRUE(Done(Rounds(10, kSteady)));
}

TEST(StoppingRule, GoesOnWhileTheRatioIsNotKnown) {
  for (int count = 10; count < 40; ++count)
    EXPECT_FALSE(Done(Rounds(count, kWild))) << count;
}

TEST(StoppingRule, ThePolicySaysHowWellItMustBeKnown) {
  record::Policy policy = Rules();
  const std::vector<Trial> trials = Rounds(20, kWild);
  const double known = RelativeUncertainty(SidesOf(trials, Chains()), Chains());
  policy.relative_error = known * 1.01;
  EXPECT_TRUE(StoppingRule(policy, true).Done(trials, Chains(), 0));
  policy.relative_error = known * 0.99;
  EXPECT_FALSE(StoppingRule(policy, true).Done(trials, Chains(), 0));
}

TEST(StoppingRule, EndsWhenTheTimeIsSpent) {
  EXPECT_FALSE(Done(Rounds(12, kWild), 4.9));
  EXPECT_TRUE(Done(Rounds(12, kWild), 5));
}

TEST(StoppingRule, EndsAtTheMaximum) {
  EXPECT_FALSE(Done(Rounds(39, kWild)));
  EXPECT_TRUE(Done(Rounds(40, kWild)));
}

TEST(StoppingRule, RoundsThatDoNotCountDoNotEndIt) {
  std::vector<Trial> trials = Rounds(9, kSteady);
  const std::vector<Trial> disturbed = Rounds(15, kSteady, false);
  trials.insert(trials.end(), disturbed.begin(), disturbed.end());
  EXPECT_FALSE(Done(trials, 19));
  EXPECT_TRUE(Done(trials, 20)) << "four times the budget is enough";
  trials.push_back(Rounds(1, kSteady).front());
  EXPECT_TRUE(Done(trials));
}

TEST(StoppingRule, TheMaximumIsOfAllRounds) {
  EXPECT_FALSE(Done(Rounds(39, kSteady, false), 10));
  EXPECT_TRUE(Done(Rounds(40, kSteady, false)));
}

TEST(StoppingRule, PublicTrialsAreNoRounds) {
  std::vector<Trial> trials(50);
  EXPECT_FALSE(Done(trials, 1000));
}

TEST(AllowanceAlone, IsLargerWhereLaunchesAreNotHidden) {
  const Allowance gated = AllowanceAlone(true, true);
  const Allowance open = AllowanceAlone(true, false);
  const Allowance cpu = AllowanceAlone(false, false);
  EXPECT_GT(gated.micros, 0);
  EXPECT_LT(gated.micros, open.micros);
  EXPECT_LT(gated.share, open.share);
  EXPECT_LT(open.micros, cpu.micros);
  EXPECT_LT(cpu.share, 1) << "or batching would gain anything";
}

// The rounds after which a candidate is ended for being slow; 0: never.
int EndedAfter(double reference, double candidate, int most, Noise* noise,
               double deviation = 20) {
  const Ruler ruler = ChainsOf(11);
  record::Policy policy;
  policy.stop_below = 1;
  std::vector<Trial> trials;
  for (int round = 1; round <= most; ++round) {
    trials.push_back(NoisyRound(reference, candidate, deviation, ruler, noise));
    if (KnownToBeBelow(policy, trials, ruler, true)) return round;
  }
  return 0;
}

TEST(KnownToBeBelow, NobodyWhoIsExactlyAsFastIsEnded) {
  Noise noise(3);
  int ended = 0;
  for (int candidate = 0; candidate < 40; ++candidate)
    ended += EndedAfter(100, 100, 15, &noise, 100) > 0 ? 1 : 0;
  EXPECT_EQ(ended, 0);
}

TEST(KnownToBeBelow, WhoTakesTwiceAsLongIsEndedAtOnce) {
  Noise noise(4);
  int rounds = 0;
  for (int candidate = 0; candidate < 20; ++candidate) {
    const int ended = EndedAfter(100, 200, 25, &noise);
    EXPECT_TRUE(ended == 4 || ended == 5) << ended;
    rounds += ended;
  }
  EXPECT_LE(rounds, 4 * 20 + 3) << "few need a fifth";
}

TEST(KnownToBeBelow, WhoIsFasterGoesOn) {
  Noise noise(5);
  EXPECT_EQ(EndedAfter(200, 100, 25, &noise), 0);
}

TEST(KnownToBeBelow, OnlyWhenThePolicySaysSo) {
  Noise noise(6);
  const Ruler ruler = ChainsOf(11);
  std::vector<Trial> trials;
  for (int round = 0; round < 6; ++round)
    trials.push_back(NoisyRound(100, 200, 20, ruler, &noise));
  record::Policy policy;
  EXPECT_FALSE(KnownToBeBelow(policy, trials, ruler, true));
  policy.stop_below = 1;
  EXPECT_TRUE(KnownToBeBelow(policy, trials, ruler, true));
  EXPECT_TRUE(EnoughProcesses(policy, trials, 1, ruler, true));
  policy.stop_below = 0.4;
  EXPECT_FALSE(KnownToBeBelow(policy, trials, ruler, true));
  policy.stop_below = 1;
  policy.min_timed_trials = policy.max_timed_trials = 6;
  EXPECT_FALSE(KnownToBeBelow(policy, trials, ruler, true)) << "--trials 6";
}

}  // namespace
}  // namespace kb::timing
