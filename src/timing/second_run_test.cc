// What a second run shows, on another device of the kind, has to lie in the
// interval of the first: the ratio is known, and what each run adds to it.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <numbers>

#include "made_rounds.h"

namespace kb::timing {
namespace {

using record::Interval;
using record::Ruler;
using record::Trial;

constexpr int kPairs = 300;

// The share of pairs of runs of which the second ratio is in the first
// interval.
double Covered(const std::function<Interval()>& run) {
  int inside = 0;
  for (int pair = 0; pair < kPairs; ++pair) {
    const Interval first = run();
    const double second = run().estimate;
    inside += first.low <= second && second <= first.high ? 1 : 0;
  }
  return static_cast<double>(inside) / kPairs;
}

double Width(const Interval& interval) {
  return std::log(interval.high / interval.low);
}

// Six rounds of one process of each side.
Interval OfLongCalls(double reference, double candidate, Noise* noise) {
  const Ruler ruler = ChainsOf(1);
  std::vector<Trial> trials;
  for (int round = 0; round < 6; ++round)
    trials.push_back(Round(reference * std::exp((*noise)(0.0003)),
                           candidate * std::exp((*noise)(0.0003)), ruler));
  return Speedup(trials, ruler, true);
}

// The ratio of two kernels that are bound by different things: 0.33 % between
// two H100s (root mean square of 19 candidates).
TEST(SecondRun, LiesInTheFirstIntervalWhereDevicesDiffer) {
  for (const double ratio : {0.06, 0.9, 1.6, 20.0}) {
    Noise noise(1);
    const double covered = Covered([&] {
      const double device = noise(0.0033 / std::numbers::sqrt2);
      return OfLongCalls(3000 * ratio, 3000 * std::exp(device), &noise);
    });
    EXPECT_GE(covered, 0.9) << ratio;
  }
}

TEST(SecondRun, AThingAgainstItselfHasNoWiderIntervalForIt) {
  Noise noise(1);
  const double itself = Width(OfLongCalls(3000, 3000, &noise));
  EXPECT_LT(itself, 0.75 * Width(OfLongCalls(4500, 3000, &noise)));
}

// Whether what a chain costs once was read in both processes.
enum class Once { kRead, kNotRead };

// Processes of each side, chains of 64 calls. What a chain costs once differs
// between processes, and between runs, and with it what a call seems to take
// alone.
Interval OfShortCalls(double alone, int64_t processes, Once once,
                      Noise* noise) {
  constexpr double kReference = 13.7, kCandidate = 15;
  const bool read = once == Once::kRead;
  const Ruler ruler = ChainsOf(64, 0.25, 0.02);
  std::vector<Trial> trials;
  const double of_run = (*noise)(read ? 0.15 : 0.4);
  for (int64_t process = 0; process < processes; ++process) {
    const double left = read ? 0.2 : 0.35;
    const double apart = read ? (*noise)(0.75) : 0;
    const double reference = (*noise)(left);
    const double candidate = apart + of_run + (*noise)(left);
    for (int round = 0; round < 4; ++round) {
      Trial trial = Round(kReference, kCandidate, ruler);
      trial.process = process;
      if (read) {
        trial.reference_once_us = 149;
        trial.candidate_once_us = 149 + apart;
      }
      trial.reference_one_us += reference;
      trial.reference_chain_us += reference;
      trial.candidate_one_us += candidate + alone;
      trial.candidate_chain_us += candidate + alone;
      trials.push_back(trial);
    }
  }
  return Speedup(trials, ruler, true);
}

// 1.3 us more than in a chain, of which the rule adds some to a call.
TEST(SecondRun, LiesInTheFirstIntervalWhereACallAloneCounts) {
  for (const Once once : {Once::kRead, Once::kNotRead}) {
    for (const int64_t processes : {2, 5, 9}) {
      for (const double alone : {0.0, 0.7, 1.3, 3.0}) {
        Noise noise(1);
        const auto run = [&] {
          return OfShortCalls(alone, processes, once, &noise);
        };
        EXPECT_GE(Covered(run), 0.9) << processes << " " << alone;
      }
    }
  }
}

// And then five processes say more than nine do otherwise.
TEST(SecondRun, IsForeseenBetterWhereOnceIsRead) {
  double read = 0, not_read = 0;
  Noise noise(1);
  for (int run = 0; run < 50; ++run) {
    read += Width(OfShortCalls(1.3, 5, Once::kRead, &noise));
    not_read += Width(OfShortCalls(1.3, 9, Once::kNotRead, &noise));
  }
  EXPECT_LT(read, 0.75 * not_read);
}

}  // namespace
}  // namespace kb::timing
