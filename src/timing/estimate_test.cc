#include "timing/estimate.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "made_rounds.h"
#include "timing/stopping.h"

namespace kb::timing {
namespace {

using record::Interval;
using record::Ruler;
using record::Trial;

std::vector<Trial> NoisyRounds(int count, double reference, double candidate,
                               double deviation, const Ruler& ruler,
                               Noise* noise) {
  std::vector<Trial> trials;
  trials.reserve(static_cast<size_t>(count));
  for (int i = 0; i < count; ++i)
    trials.push_back(NoisyRound(reference, candidate, deviation, ruler, noise));
  return trials;
}

bool Contains(const Interval& interval, double value) {
  return interval.low <= value && value <= interval.high;
}

// --- One call ---

TEST(CallMicros, SlopeCancelsWhatAChainCostsOnce) {
  const Ruler ruler = ChainsOf(20);
  for (const double constant : {0.0, 150.0, 1234.5}) {
    const Readings readings{
        {Chain(constant, 7, 1)}, {Chain(constant, 7, 20)}, constant};
    EXPECT_NEAR(CallMicros(readings, ruler), 7, 1e-9) << constant;
  }
}

// A constant that was read too low by less than the allowance changes nothing.
TEST(CallMicros, SlopeDoesNotHangOnTheConstantRead) {
  const Ruler ruler = ChainsOf(20);
  const Readings readings{{Chain(150, 7, 1)}, {Chain(150, 7, 20)}, 147.5};
  EXPECT_NEAR(CallMicros(readings, ruler), 7, 1e-9);
}

TEST(CallMicros, ALongCallIsOneMinusTheConstant) {
  const Readings readings{{9150, 9152, 9148}, {}, 150};
  EXPECT_DOUBLE_EQ(CallMicros(readings, ChainsOf(1)), 9000);
}

TEST(CallMicros, MediansOfTheReadingsAreTaken) {
  const Readings readings{{160, 160, 5000}, {350, 350, 350}, 150};
  EXPECT_DOUBLE_EQ(CallMicros(readings, ChainsOf(20)), 10);
}

double WithAdded(Readings readings, const Ruler& ruler) {
  readings.added = AddedAlone(readings, ruler);
  return CallMicros(readings, ruler);
}

// All twenty calls were done in the first launch: what one call takes alone
// counts, but for the allowance.
TEST(CallMicros, CallsDoneTogetherCountForWhatOneShowsAlone) {
  EXPECT_DOUBLE_EQ(WithAdded({{250}, {251}, 150}, ChainsOf(20, 3, 0.02)), 97);
}

TEST(CallMicros, TheAllowanceIsTheLargerOfTheTwo) {
  // Slope 1000, one call alone 1015 beyond the constant: 20 are allowed.
  const Readings fair{{1165}, {1165 + 9 * 1000}, 150};
  EXPECT_DOUBLE_EQ(WithAdded(fair, ChainsOf(10, 3, 0.02)), 1000);
  // 1050 alone: no more than 20 of these 50 are forgiven.
  const Readings slow_alone{{1200}, {1200 + 9 * 1000}, 150};
  EXPECT_DOUBLE_EQ(WithAdded(slow_alone, ChainsOf(10, 3, 0.02)), 1030);
  EXPECT_DOUBLE_EQ(WithAdded(slow_alone, ChainsOf(10, 50, 0.02)), 1000);
}

TEST(RoundMicros, AreNeverBelowANanosecond) {
  EXPECT_DOUBLE_EQ(RoundMicros(150, 140, 160, ChainsOf(20)), 1e-3);
  EXPECT_DOUBLE_EQ(RoundMicros(150, 0, 160, ChainsOf(1)), 1e-3);
  EXPECT_DOUBLE_EQ(RoundMicros(150, 150, 150, ChainsOf(20)), 1e-3);
}

TEST(RoundMicros, AreCallMicrosOfOneRound) {
  const Ruler ruler = ChainsOf(12);
  EXPECT_DOUBLE_EQ(RoundMicros(180, 480, 150, ruler),
                   CallMicros({{180}, {480}, 150}, ruler));
}

// --- Speedup ---

TEST(Speedup, OfTheSameCodeContainsOne) {
  const Ruler ruler = ChainsOf(20);
  int contains = 0;
  constexpr int kPairs = 40;
  for (uint64_t seed = 0; seed < kPairs; ++seed) {
    Noise noise(seed);
    const Interval speedup =
        Speedup(NoisyRounds(12, 50, 50, 3, ruler, &noise), ruler, true);
    EXPECT_NEAR(speedup.estimate, 1, 0.03);
    contains += Contains(speedup, 1) ? 1 : 0;
  }
  EXPECT_GE(contains, kPairs * 9 / 10);
}

// A busy device may leave few rounds that count.
TEST(Speedup, OfFewRoundsContainsTheTruth) {
  constexpr int kTimes = 1000;
  const Ruler ruler;
  for (const double deviation : {50.0, 200.0})  // of 10 ms
    for (int rounds = 1; rounds < 7; ++rounds) {
      Noise noise(static_cast<uint64_t>(rounds));
      int contains = 0;
      for (int i = 0; i < kTimes; ++i)
        contains += Contains(Speedup(NoisyRounds(rounds, 10000, 10000,
                                                 deviation, ruler, &noise),
                                     ruler, true),
                             1)
                        ? 1
                        : 0;
      EXPECT_GE(contains, 0.92 * kTimes) << rounds << " " << deviation;
    }
}

// The same where launches show, whose rounds differ by more.
TEST(Speedup, OfFewRoundsWithLaunchesInThemContainsTheTruth) {
  constexpr int kTimes = 1000;
  Ruler ruler;
  ruler.gated = false;
  for (const double deviation : {0.03, 0.1})
    for (int rounds = 1; rounds < 7; ++rounds) {
      Noise noise(static_cast<uint64_t>(rounds));
      int contains = 0;
      for (int i = 0; i < kTimes; ++i) {
        std::vector<Trial> trials;
        for (int round = 0; round < rounds; ++round)
          trials.push_back(
              Round(1000 * std::exp(noise(deviation)), 1000, ruler));
        contains += Contains(Speedup(trials, ruler, true), 1) ? 1 : 0;
      }
      EXPECT_GE(contains, 0.92 * kTimes) << rounds << " " << deviation;
    }
  EXPECT_GT(Speedup({Round(1000, 800, ruler)}, ruler, true).high, 1000);
}

TEST(Speedup, OfTwiceAsFastIsTwo) {
  for (const int64_t calls : {int64_t{1}, int64_t{20}}) {
    const Ruler ruler = ChainsOf(calls);
    const std::vector<Trial> trials(10, Round(8000, 4000, ruler));
    for (const bool cuda : {false, true}) {
      const Interval speedup = Speedup(trials, ruler, cuda);
      EXPECT_NEAR(speedup.estimate, 2, 1e-9);
      EXPECT_LT(speedup.low, 2);
      EXPECT_GT(speedup.high, 2);
      EXPECT_GT(speedup.low, cuda ? 1.8 : 1.7);
      EXPECT_LT(speedup.high, cuda ? 2.2 : 2.35);
    }
  }
}

TEST(Speedup, TrialsThatDoNotCountAreNotSeen) {
  const Ruler ruler = ChainsOf(20);
  Noise noise(5);
  const std::vector<Trial> trials = NoisyRounds(10, 60, 30, 3, ruler, &noise);
  const Interval without = Speedup(trials, ruler, true);

  Trial disturbed = Round(9000, 1, ruler, 7000);
  disturbed.counts = false;
  Trial untimed;
  untimed.seed = 42;
  untimed.counts = true;
  std::vector<Trial> all{untimed, untimed};
  for (const Trial& trial : trials) {
    all.push_back(trial);
    all.push_back(disturbed);
    all.push_back(disturbed);
  }
  EXPECT_EQ(Speedup(all, ruler, true), without);
  EXPECT_EQ(ReferenceTime(all, ruler), ReferenceTime(trials, ruler));
  EXPECT_EQ(CandidateTime(all, ruler), CandidateTime(trials, ruler));
  EXPECT_EQ(SidesOf(all, ruler).reference.one.size(), 10U);
  EXPECT_EQ(SidesOf(all, ruler).candidate.chain.size(), 10U);
}

// Whoever slows the reference down gains 2 % at most; whether it was slowed
// down is not known, so the interval reaches to what was read.
TEST(Speedup, ReferenceCountsForLittleMoreThanWhenItIsAlone) {
  Ruler ruler = ChainsOf(20);
  const std::vector<Trial> trials(10, Round(80, 40, ruler));
  const Interval open = Speedup(trials, ruler, true);
  ASSERT_NEAR(open.estimate, 2, 1e-9);

  ruler.control_us = 50;
  const Interval capped = Speedup(trials, ruler, true);
  EXPECT_NEAR(capped.estimate, 1.02 * 50 / 40, 1e-9);
  EXPECT_NEAR(capped.low, open.low * 51 / 80, 1e-9);
  EXPECT_DOUBLE_EQ(capped.high, open.high);
  EXPECT_NEAR(ReferenceTime(trials, ruler).median, 51, 1e-9);
  EXPECT_NEAR(CandidateTime(trials, ruler).median, 40, 1e-9);
}

// Or its median would be below its least.
TEST(Times, TheReferencesCountForTheSameShareInAll) {
  Ruler ruler = ChainsOf(20);
  Noise noise(18);
  const std::vector<Trial> trials = NoisyRounds(9, 80, 40, 3, ruler, &noise);
  const record::TimeSummary open = ReferenceTime(trials, ruler);
  ruler.control_us = 50;
  const double share = CountedShareOfReference(trials, ruler);
  ASSERT_LT(share, 0.7);
  const record::TimeSummary capped = ReferenceTime(trials, ruler);
  EXPECT_EQ(capped.count, open.count);
  for (double record::TimeSummary::* micros :
       {&record::TimeSummary::median, &record::TimeSummary::mean,
        &record::TimeSummary::stddev, &record::TimeSummary::min,
        &record::TimeSummary::max, &record::TimeSummary::q25,
        &record::TimeSummary::q75})
    EXPECT_NEAR(capped.*micros, share * (open.*micros), 1e-9);
  EXPECT_LE(capped.min, capped.median);
}

// References against themselves, with the noise of each: the middle is 1.
TEST(Speedup, ChanceInTheControlIsHeldAgainstNobody) {
  for (const bool cuda : {true, false}) {
    Ruler ruler = ChainsOf(3);
    ruler.alone_share = AllowanceAlone(cuda, true).share;
    ruler.alone_us = 1e9;  // not what is asked here
    const double noise_us = cuda ? 2 : 30;
    Noise noise(3);
    constexpr int kTimes = 400;
    double sum = 0;
    for (int i = 0; i < kTimes; ++i) {
      const std::vector<Trial> trials =
          NoisyRounds(6, 200, 200, noise_us, ruler, &noise);
      const std::vector<Trial> afterwards =
          NoisyRounds(4, 200, 200, noise_us, ruler, &noise);
      ruler.control_us = 0;
      ruler.control_us = ReferenceTime(afterwards, ruler).median;
      sum += std::log(Speedup(trials, ruler, cuda).estimate);
    }
    EXPECT_NEAR(sum / kTimes, 0, 0.01) << (cuda ? "cuda" : "cpu");
  }
}

// A candidate of one kernel, whose calls take as long alone as in a chain.
TEST(Speedup, AReferenceThatIsMuchQuickerAloneCostsNobody) {
  const Ruler ruler = ChainsOf(20);
  Trial trial = Round(1000, 500, ruler);
  trial.reference_one_us -= 80;
  trial.reference_chain_us -= 80;
  EXPECT_NEAR(Speedup(std::vector<Trial>(6, trial), ruler, true).estimate, 2,
              0.01);
}

TEST(Speedup, AControlWithinTwoPercentChangesNothing) {
  Ruler ruler = ChainsOf(20);
  const std::vector<Trial> trials(10, Round(80, 40, ruler));
  const Interval open = Speedup(trials, ruler, true);
  for (const double control : {79.0, 80.0, 160.0}) {
    ruler.control_us = control;
    EXPECT_EQ(Speedup(trials, ruler, true), open) << control;
  }
}

// Which takes longer at a call while it waits for its turn.
TEST(Speedup, AReferenceThatWaitsForTheDeviceMayTakeAQuarterLess) {
  Ruler ruler = ChainsOf(20);
  ruler.gated = false;
  ruler.reference_launches = record::Launches::kPartlyHidden;
  const std::vector<Trial> trials(10, Round(80, 40, ruler));
  const Interval open = Speedup(trials, ruler, true);
  ruler.control_us = 65;
  EXPECT_EQ(Speedup(trials, ruler, true), open);
  ruler.control_us = 48;
  EXPECT_NEAR(Speedup(trials, ruler, true).estimate, 1.25 * 48 / 40, 1e-9);
}

TEST(Speedup, IsTheSameIntervalEachTime) {
  const Ruler ruler = ChainsOf(20);
  Noise noise(11);
  const std::vector<Trial> trials = NoisyRounds(12, 65, 50, 3, ruler, &noise);
  EXPECT_EQ(Speedup(trials, ruler, true), Speedup(trials, ruler, true));
}

// Resampling alone sees one pair of processes only, and no spread at all here.
TEST(Speedup, OtherProcessesMayDifferEvenIfTheseDoNot) {
  const Ruler ruler = ChainsOf(20);
  const auto width = [&](double micros, bool cuda) {
    const Interval speedup = Speedup(
        std::vector<Trial>(10, Round(micros, micros, ruler)), ruler, cuda);
    return speedup.high / speedup.low;
  };
  EXPECT_GT(width(3, true), width(50, true)) << "short calls differ more";
  EXPECT_GT(width(50, true), width(5000, true));
  EXPECT_GT(width(5000, true), 1.002);
  EXPECT_GT(width(5000, false), width(5000, true)) << "cpu";
}

// How many pairs of processes give an interval that contains the ratio of 1.3:
// processes differ by a share `between`, readings by `deviation` us.
double Coverage(int pairs, double between, double deviation) {
  constexpr double kMicros = 50;
  const Ruler ruler = ChainsOf(20);
  Noise noise(2026);
  int contains = 0;
  for (int pair = 0; pair < pairs; ++pair) {
    const double reference = 1.3 * kMicros * std::exp(noise(between));
    const double candidate = kMicros * std::exp(noise(between));
    const Interval speedup =
        Speedup(NoisyRounds(12, reference, candidate, deviation, ruler, &noise),
                ruler, true);
    contains += Contains(speedup, 1.3) ? 1 : 0;
  }
  return static_cast<double>(contains) / pairs;
}

TEST(Speedup, IntervalsContainTheTruth) { EXPECT_GE(Coverage(300, 0, 3), 0.9); }

TEST(Speedup, IntervalsContainTheTruthWhereProcessesDiffer) {
  EXPECT_GE(Coverage(100, 0.007, 3), 0.9);
}

// Where what processes differ by is little beside the noise.
TEST(Speedup, IntervalsContainTheTruthWhereReadingsAreWild) {
  EXPECT_GE(Coverage(100, 0, 60), 0.9);
}

// Calls too long for a chain, whose rounds end by the rule and are four at
// least. Readings of a few milliseconds are off by 4 us on an H200.
TEST(Speedup, IntervalsOfFewRoundsContainTheTruth) {
  constexpr int kPairs = 300;
  constexpr double kMicros = 5000;
  constexpr double kBetween = 0.001;  // what processes of such calls differ by
  record::Policy policy;
  policy.min_timed_trials = 4;
  const StoppingRule rule(policy, true);
  const Ruler ruler = ChainsOf(1);
  for (const double deviation : {0.0, 4.0, 20.0, 60.0}) {
    Noise noise(2027);
    int contains = 0;
    for (int pair = 0; pair < kPairs; ++pair) {
      const double reference = 1.3 * kMicros * std::exp(noise(kBetween));
      const double candidate = kMicros * std::exp(noise(kBetween));
      std::vector<Trial> trials;
      while (!rule.Done(trials, ruler, 0)) {
        trials.push_back(NoisyRound(reference, candidate, 2, ruler, &noise));
        trials.back().reference_one_us += noise(deviation);
        trials.back().candidate_one_us += noise(deviation);
      }
      contains += Contains(Speedup(trials, ruler, true), 1.3) ? 1 : 0;
    }
    EXPECT_GE(contains, kPairs * 9 / 10) << deviation << " us";
  }
}

// What a call takes alone is a median of few readings: a call of a tenth of a
// millisecond and more is not found to differ from itself by that.
TEST(Speedup, CallsThatAreReadFiveTimesAloneAreAsFastAsThemselves) {
  constexpr int kPairs = 300;
  constexpr double kReadingMicros = 2;  // what one reading is off by
  const double of_median = 1.2533 * kReadingMicros / std::sqrt(5.0);
  for (const double micros : {100.0, 200.0, 1000.0}) {
    const Ruler ruler = ChainsOf(static_cast<int64_t>(1500 / micros) + 1);
    Noise noise(2028);
    int contains = 0;
    double sum = 0;
    for (int pair = 0; pair < kPairs; ++pair) {
      std::vector<Trial> trials;
      for (int round = 0; round < 4; ++round) {
        Trial trial = Round(micros, micros, ruler);
        trial.reference_one_us += noise(of_median);
        trial.candidate_one_us += noise(of_median);
        trial.reference_chain_us += noise(kReadingMicros);
        trial.candidate_chain_us += noise(kReadingMicros);
        trials.push_back(trial);
      }
      const Interval found = Speedup(trials, ruler, true);
      contains += Contains(found, 1) ? 1 : 0;
      sum += std::log(found.estimate);
    }
    EXPECT_GE(contains, kPairs * 9 / 10) << micros;
    EXPECT_NEAR(sum / kPairs, 0, 0.001) << micros;
  }
}

// --- What is known ---

TEST(RelativeUncertainty, OfThreeRoundsIsInfinite) {
  const Ruler ruler = ChainsOf(20);
  const auto of = [&](size_t rounds) {
    return RelativeUncertainty(
        SidesOf(std::vector<Trial>(rounds, Round(50, 50, ruler)), ruler),
        ruler);
  };
  EXPECT_TRUE(std::isinf(of(0)));
  EXPECT_TRUE(std::isinf(of(3)));
  EXPECT_DOUBLE_EQ(of(4), 0);
}

TEST(RelativeUncertainty, ShrinksWithTheRootOfTheRounds) {
  const Ruler ruler = ChainsOf(20);
  const auto of = [&](int rounds) {
    Noise noise(3);
    return RelativeUncertainty(
        SidesOf(NoisyRounds(rounds, 65, 50, 3, ruler, &noise), ruler), ruler);
  };
  EXPECT_GT(of(8), 0);
  EXPECT_NEAR(of(100) / of(1600), 4, 1.2);
}

TEST(RelativeUncertainty, LongerChainsKnowMore) {
  const auto of = [](int64_t calls) {
    const Ruler ruler = ChainsOf(calls);
    Noise noise(4);
    return RelativeUncertainty(
        SidesOf(NoisyRounds(50, 50, 50, 3, ruler, &noise), ruler), ruler);
  };
  EXPECT_LT(of(31), 0.2 * of(4));
}

TEST(Times, MediansAreTheEstimate) {
  for (const int64_t calls : {int64_t{1}, int64_t{20}}) {
    const Ruler ruler = ChainsOf(calls);
    Noise noise(17);
    const std::vector<Trial> trials =
        NoisyRounds(11, 650, 500, 3, ruler, &noise);
    const record::TimeSummary reference = ReferenceTime(trials, ruler);
    const record::TimeSummary candidate = CandidateTime(trials, ruler);
    const Sides sides = SidesOf(trials, ruler);
    EXPECT_DOUBLE_EQ(reference.median, CallMicros(sides.reference, ruler));
    EXPECT_DOUBLE_EQ(candidate.median, CallMicros(sides.candidate, ruler));
    EXPECT_NEAR(reference.median / candidate.median,
                Speedup(trials, ruler, true).estimate, 1e-12);
    EXPECT_EQ(reference.count, 11);
    EXPECT_NEAR(reference.mean, 650, 4) << "of what rounds say";
    EXPECT_NEAR(candidate.mean, 500, 4);
  }
}

// Rounds of several processes, each with a factor of its own on either side.
std::vector<Trial> OfProcesses(int count, double deviation, const Ruler& ruler,
                               Noise* noise, double speedup = 1) {
  std::vector<Trial> trials;
  for (int process = 0; process < count; ++process) {
    const double reference = 50 * std::exp((*noise)(deviation));
    const double candidate = 50 / speedup * std::exp((*noise)(deviation));
    for (Trial trial :
         NoisyRounds(4, reference, candidate, 0.5, ruler, noise)) {
      trial.process = process;
      trials.push_back(trial);
    }
  }
  return trials;
}

// References of 1.5 ms and more that were judged against themselves at full
// size on H200s, in one process of each side, in two sessions (412 judgements):
// half were within 0.07 % of 1 and 19 in 20 within 0.3 %
// (results/aa_full_h200.jsonl). With the noise of their readings 97 and 98 % of
// the intervals contained 1.
TEST(Processes, OneSaysAsMuchAsItKnows) {
  const auto half = [](double micros, int64_t operators = 1) {
    Ruler ruler;  // one call a reading
    ruler.operators = operators;
    const Interval found = Speedup(
        std::vector<Trial>(6, Round(micros, micros, ruler)), ruler, true);
    return std::log(found.high / found.estimate);
  };
  EXPECT_NEAR(half(2000), 0.0026, 0.0002);
  EXPECT_NEAR(half(20000), 0.0014, 0.0002);
  EXPECT_GT(half(100), 0.015) << "where processes are known to differ";
  EXPECT_GT(half(4385, 700), 0.014) << "of short kernels: processes_test.cc";
}

// Two processes that agree by chance do not show that others would.
TEST(Processes, AnIntervalWithLaunchesInItIsWide) {
  Ruler ruler = ChainsOf(30);
  ruler.processes = 5;
  Noise noise(8);
  const std::vector<Trial> agree = OfProcesses(2, 0.0001, ruler, &noise);
  const auto gated = Speedup(agree, ruler, true);
  ruler.gated = false;
  const auto open = Speedup(agree, ruler, true);
  EXPECT_NEAR(open.estimate, gated.estimate, 0.001);
  EXPECT_GT(open.high, 1.06);
  EXPECT_LT(gated.high, 1.05);
}

TEST(Processes, FewAreEnoughWhereTheyAgree) {
  record::Policy policy;
  Ruler ruler = ChainsOf(30);
  ruler.processes = 5;
  Noise noise(8);
  const auto enough = [&](int count, double deviation) {
    return EnoughProcesses(policy, OfProcesses(count, deviation, ruler, &noise),
                           count, ruler, true);
  };
  EXPECT_FALSE(enough(1, 0.001)) << "one shows nothing of a spread";
  EXPECT_TRUE(enough(3, 0.001));
  EXPECT_FALSE(enough(3, 0.05));
  EXPECT_TRUE(enough(5, 0.008));
  EXPECT_FALSE(enough(5, 0.05)) << "five would be 3 % off now and then";
  EXPECT_FALSE(enough(11, 0.05));
  EXPECT_TRUE(enough(12, 0.05)) << "no more are wanted";
  const Ruler chained = std::exchange(ruler, Ruler());
  ruler.processes = 5;
  EXPECT_TRUE(enough(5, 0.05)) << "long calls, whose processes hold memory";
  ruler = chained;
  policy.processes = ruler.processes = 5;
  EXPECT_FALSE(enough(4, 0.001)) << "somebody asked for five";
  EXPECT_TRUE(enough(5, 0.05)) << "and gets five";
  policy.processes = 0;
  ruler.processes = 1;
  EXPECT_TRUE(enough(2, 0.05)) << "one was planned";
}

// The rule may not stop just where the ratio happens to look settled.
TEST(Processes, IntervalsContainTheTruthWhereTheRuleEndsThem) {
  const record::Policy policy;
  Ruler ruler = ChainsOf(30);
  ruler.processes = 5;
  Noise noise(9);
  constexpr double kSpeedup = 1.3;
  for (const double deviation : {0.002, 0.006, 0.012, 0.03}) {
    ruler.convolves = deviation > 0.012;
    constexpr int kPairs = 2000;
    constexpr int kMost = 12;
    int contains = 0, near = 0;
    for (int pair = 0; pair < kPairs; ++pair) {
      std::vector<Trial> all =
          OfProcesses(kMost, deviation, ruler, &noise, kSpeedup);
      std::vector<Trial> read;
      for (int process = 0; process < kMost; ++process) {
        for (const Trial& trial : all)
          if (trial.process == process) read.push_back(trial);
        if (EnoughProcesses(policy, read, process + 1, ruler, true)) break;
      }
      const Interval found = Speedup(read, ruler, true);
      contains += Contains(found, kSpeedup) ? 1 : 0;
      near += std::abs(std::log(found.estimate / kSpeedup)) <= 0.03 ? 1 : 0;
    }
    // Two may agree by chance of what differs by more than nearly all do.
    EXPECT_GE(contains, (deviation < 0.01 ? 0.9 : 0.8) * kPairs) << deviation;
    // Of five of what differs by 3 %, as small level1/70 does, 90 in a hundred.
    EXPECT_GE(near, 0.97 * kPairs) << deviation;
  }
}

// What a call takes alone is known to a microsecond in one process; where what
// a chain costs once was read in both sides', to a third of that.
TEST(Processes, WhoMayDoCallsTogetherIsReadInMore) {
  record::Policy policy;
  Ruler ruler = ChainsOf(26, 0.25);
  ruler.processes = 5;
  double micros = 40, once = 0;
  bool trusted = false;
  const auto enough = [&](double longer_alone, int processes) {
    std::vector<Trial> trials;
    for (int process = 0; process < processes; ++process)
      for (Trial trial :
           std::vector<Trial>(4, Round(1.02 * micros, micros, ruler))) {
        trial.process = process;
        trial.reference_once_us = trial.candidate_once_us = once;
        trial.reference_one_us -= 1.5;
        trial.candidate_one_us += longer_alone - 1.5;
        trials.push_back(trial);
      }
    return EnoughProcesses(policy, trials, processes, ruler, true, trusted);
  };
  EXPECT_TRUE(enough(0, 4));
  EXPECT_TRUE(enough(0.3, 4));
  EXPECT_FALSE(enough(6, 4));
  EXPECT_FALSE(enough(6, 8));
  EXPECT_TRUE(enough(6, 9));
  trusted = true;
  EXPECT_TRUE(enough(6, 4)) << "it does not";
  trusted = false;
  once = 150;
  micros = 30;
  EXPECT_FALSE(enough(6, 2));
  EXPECT_TRUE(enough(6, 3));
  micros = 15;
  EXPECT_FALSE(enough(6, 4));
  EXPECT_TRUE(enough(6, 5));
  once = 0;
  micros = 130;  // of which a microsecond is 0.77 %
  EXPECT_FALSE(enough(6, 2));
  EXPECT_TRUE(enough(6, 3));
  micros = 40;
  ruler.processes = 1;
  EXPECT_TRUE(enough(6, 1)) << "where one was planned";
  policy.processes = ruler.processes = 3;
  EXPECT_TRUE(enough(6, 3)) << "somebody asked for three";
}

TEST(Processes, WhereNothingCountsThereIsAnEnd) {
  const record::Policy policy;
  Ruler ruler = ChainsOf(26);
  ruler.processes = 5;
  std::vector<Trial> trials;
  for (int process = 0; process < 5; ++process) {
    EXPECT_EQ(EnoughProcesses(policy, trials, process, ruler, true),
              process == 0);
    trials.push_back(Round(400, 390, ruler));
    trials.back().process = process;
    trials.back().counts = false;
  }
  EXPECT_TRUE(EnoughProcesses(policy, trials, 5, ruler, true));
}

// Further processes that could not be read as the first one was have no trial.
TEST(Processes, WhereNothingIsReadThereIsAnEnd) {
  const record::Policy policy;
  Ruler ruler = ChainsOf(26);
  ruler.processes = 5;
  const std::vector<Trial> trials(4, Round(400, 390, ruler));
  EXPECT_FALSE(EnoughProcesses(policy, trials, 1, ruler, true));
  EXPECT_TRUE(EnoughProcesses(policy, trials, 5, ruler, true));
}

TEST(Processes, TheirRatiosAreAveraged) {
  const Ruler ruler = ChainsOf(30);
  std::vector<Trial> trials;
  for (const double factor : {1.02, 1 / 1.02}) {
    for (Trial trial : std::vector<Trial>(4, Round(100 * factor, 50, ruler))) {
      trial.process = factor > 1 ? 1 : 0;
      trials.push_back(trial);
    }
  }
  EXPECT_NEAR(Speedup(trials, ruler, true).estimate, 2, 1e-9);
  EXPECT_NEAR(ReferenceTime(trials, ruler).median, 100, 1e-9);
  EXPECT_NEAR(CandidateTime(trials, ruler).median, 50, 1e-9);
}

// The truth is known: 1.3. Processes differ as they do on an H200.
TEST(Processes, IntervalsContainTheTruth) {
  const Ruler ruler = ChainsOf(30);
  constexpr int kRuns = 200;
  int contained = 0;
  double worst = 0;
  Noise noise(5);
  for (int run = 0; run < kRuns; ++run) {
    const Interval found =
        Speedup(OfProcesses(5, 0.01, ruler, &noise, 1.3), ruler, true);
    contained += Contains(found, 1.3) ? 1 : 0;
    worst = std::max(worst, std::fabs(std::log(found.estimate / 1.3)));
  }
  EXPECT_GE(contained, kRuns * 90 / 100);
  EXPECT_LT(worst, 0.03);
}

// One process's call alone that looks long by chance counts for nothing; what
// all of them show counts in all.
TEST(Processes, TogetherSayWhatACallTakesAlone) {
  const Ruler ruler = ChainsOf(20, 0.5, 0);
  std::vector<Trial> trials;
  for (int process = 0; process < 5; ++process)
    for (Trial trial : std::vector<Trial>(4, Round(20, 20, ruler))) {
      trial.process = process;
      if (process == 3) trial.candidate_one_us += 6;
      trials.push_back(trial);
    }
  EXPECT_NEAR(CandidateTime(trials, ruler).median, 20, 0.1);
  for (Trial& trial : trials)
    if (trial.process != 3) trial.candidate_one_us += 6;
  EXPECT_NEAR(CandidateTime(trials, ruler).median, 20 + 6 - 1, 0.3);
}

TEST(Processes, WhatTheyShowWidensTheInterval) {
  const Ruler ruler = ChainsOf(30);
  Noise noise(6);
  const auto width = [&](double deviation) {
    const Interval found =
        Speedup(OfProcesses(5, deviation, ruler, &noise), ruler, true);
    return std::log(found.high / found.low);
  };
  EXPECT_GT(width(0.05), 2 * width(0.001));
}

// Else a candidate that is slow alone now and then could hide what it does
// alone at all.
TEST(Sides, ChanceIsOurOwnProcesses) {
  const Ruler ruler = ChainsOf(20);
  std::vector<Trial> trials(6, Round(50, 40, ruler));
  for (size_t i = 0; i < trials.size(); ++i)
    trials[i].candidate_one_us += 100 * static_cast<double>(i % 3);
  const double known = SidesOf(trials, ruler).chance;
  EXPECT_LT(known, 1) << "what processes are known to differ by";
  for (size_t i = 0; i < trials.size(); ++i)
    trials[i].reference_one_us += static_cast<double>(i % 3);
  EXPECT_GT(SidesOf(trials, ruler).chance, known);
}

// Weights that only a chain's first call finds cold: the same is added to both,
// or chance would make one of them faster.
TEST(Sides, WhatBothShowAloneIsAddedToBoth) {
  const Ruler ruler = ChainsOf(20, 0.25);
  std::vector<Trial> trials(6, Round(76, 76, ruler));
  for (Trial& trial : trials) {
    trial.reference_one_us += 10;
    trial.reference_chain_us += 10;
    trial.candidate_one_us += 10.6;
    trial.candidate_chain_us += 10.6;
  }
  const Sides sides = SidesOf(trials, ruler);
  EXPECT_NEAR(sides.reference.added, 10 - 0.02 * 76, 0.01);
  EXPECT_DOUBLE_EQ(sides.candidate.added, sides.reference.added);
  EXPECT_NEAR(Speedup(trials, ruler, true).estimate, 1, 1e-6);
  for (Trial& trial : trials) {
    trial.candidate_one_us += 6;
    trial.candidate_chain_us += 6;
  }
  EXPECT_NEAR(SidesOf(trials, ruler).candidate.added,
              sides.reference.added + 6.6 - sides.chance, 0.01);
}

// A kernel alone waits for no other one: what batching may gain is measured
// from there.
TEST(Sides, TheAllowanceBeginsWhereTheReferenceIs) {
  const Ruler ruler = ChainsOf(20, 1, 0);
  std::vector<Trial> trials(6, Round(14, 10, ruler));
  for (Trial& trial : trials) {
    trial.reference_one_us -= 2.5;
    trial.candidate_one_us += 4 - 2.5;  // 10 us a call only in a chain
  }
  EXPECT_NEAR(CandidateTime(trials, ruler).median, 10 + 4 - 1, 1);
  EXPECT_NEAR(ReferenceTime(trials, ruler).median, 14, 0.2);
}

TEST(Sides, WhoIsSlowAloneNowAndThenGainsNothing) {
  const Ruler ruler = ChainsOf(64, 0.25);
  std::vector<Trial> trials(6, Round(10, 10, ruler));
  for (size_t i = 0; i < trials.size(); ++i)
    trials[i].candidate_one_us += std::array{300, 0, 1500}[i % 3];
  EXPECT_NEAR(CandidateTime(trials, ruler).median, 10, 7.5 / 63);
}

// A candidate's own process has no say in what a chain costs once, but for what
// was read there before it was loaded.
TEST(Sides, TheConstantIsTheSameForBothButForWhatWasReadBefore) {
  const auto constants = [](const Ruler& ruler, double once) {
    std::vector<Trial> trials(5, Round(50, 40, ruler));
    for (size_t i = 0; i < trials.size(); ++i) {
      trials[i].constant_us = 150 + static_cast<double>(i);
      trials[i].reference_once_us = 149;
      trials[i].candidate_once_us = once;
    }
    const Sides sides = SidesOf(trials, ruler);
    return std::pair(sides.reference.constant, sides.candidate.constant);
  };
  EXPECT_EQ(constants(ChainsOf(20), 0), std::pair(150.0, 150.0)) << "the least";
  EXPECT_EQ(constants(ChainsOf(1), 0), std::pair(152.0, 152.0)) << "the median";
  EXPECT_EQ(constants(ChainsOf(20), 150.5), std::pair(150.0, 151.5));
  EXPECT_EQ(constants(ChainsOf(1), 148), std::pair(152.0, 151.0));
  EXPECT_EQ(constants(ChainsOf(1), 500), std::pair(152.0, 155.0)) << "at most";
}

// Of 46 pairs of processes of the same code the calls alone differed by 0.8 us
// before this was read; a chain's first call is no slower for it.
TEST(Sides, AProcessWhoseChainsCostMoreOnceIsNotSlowAlone) {
  const Ruler ruler = ChainsOf(64, 0.25);
  const auto added = [&](double once) {
    std::vector<Trial> trials(6, Round(14, 14, ruler));
    for (Trial& trial : trials) {
      trial.candidate_one_us += 1.6;
      trial.candidate_chain_us += 1.6;
      trial.reference_once_us = 149;
      trial.candidate_once_us = once;
    }
    return SidesOf(trials, ruler).candidate.added;
  };
  EXPECT_EQ(added(149 + 1.6), 0);
  EXPECT_GT(added(149), 0.5);
}

// On an H200 a chain's end is seen 6 us later in some rounds, on one side and
// not on the other (results/h200_ruler.txt).
TEST(Sides, RoundsThatEndLateMakeNoCallSlowAlone) {
  const Ruler ruler = ChainsOf(60, 2, 0.02);
  std::vector<Trial> trials(5, Round(20, 20, ruler));
  const double before = CandidateTime(trials, ruler).median;
  for (size_t i = 0; i < 4; ++i) {
    trials[i].candidate_one_us += 6;
    trials[i].candidate_chain_us += 6;
  }
  EXPECT_NEAR(CandidateTime(trials, ruler).median, before, 1e-9);
}

}  // namespace
}  // namespace kb::timing
