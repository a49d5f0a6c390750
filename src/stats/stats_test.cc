#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <utility>

#include "base/random.h"
#include "stats/bootstrap.h"
#include "stats/share.h"
#include "stats/student.h"
#include "stats/summary.h"

namespace kb::stats {
namespace {

TEST(Median, IsTheMiddleQuantile) {
  std::vector<double> values;
  for (const double next : {3.0, 0.1, 7.0, 0.1, 2.5, 0.7}) {
    values.push_back(next);
    EXPECT_EQ(Median(values), Quantile(values, 0.5)) << values.size();
  }
}

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

// Two readings that belong together.
struct Pair {
  double top = 0;
  double bottom = 0;
};

Interval RatioOfMedians(const std::vector<Pair>& pairs, uint64_t seed) {
  return Resampled(pairs.size(), seed,
                   [&pairs](const std::vector<size_t>& drawn) {
                     std::vector<double> top, bottom;
                     for (const size_t index : drawn) {
                       top.push_back(pairs.at(index).top);
                       bottom.push_back(pairs.at(index).bottom);
                     }
                     return Median(top) / Median(bottom);
                   });
}

TEST(Resampled, GivesTheStatisticAllItemsFirstAndAsManyEachTime) {
  std::vector<std::vector<size_t>> draws;
  Resampled(5, 1, [&](const std::vector<size_t>& drawn) {
    draws.push_back(drawn);
    return 0.0;
  });
  EXPECT_EQ(draws.size(), 2001U);
  EXPECT_EQ(draws.front(), (std::vector<size_t>{0, 1, 2, 3, 4}));
  std::set<size_t> seen;
  for (const std::vector<size_t>& drawn : draws) {
    ASSERT_EQ(drawn.size(), 5U);
    seen.insert(drawn.begin(), drawn.end());
  }
  EXPECT_EQ(seen, (std::set<size_t>{0, 1, 2, 3, 4}));
}

TEST(Resampled, ConstantItemsHaveNoWidth) {
  const Interval interval = RatioOfMedians({{6, 2}, {6, 2}, {6, 2}}, 1);
  EXPECT_DOUBLE_EQ(interval.estimate, 3);
  EXPECT_DOUBLE_EQ(interval.low, 3);
  EXPECT_DOUBLE_EQ(interval.high, 3);
}

// Both sides of a pair drift together: resampled apart, the ratio would spread
// from 1/8 to 8.
TEST(Resampled, ItemsAreDrawnWhole) {
  const Interval interval =
      RatioOfMedians({{1, 1}, {2, 2}, {4, 4}, {8, 8}, {5, 5}}, 7);
  EXPECT_DOUBLE_EQ(interval.low, 1);
  EXPECT_DOUBLE_EQ(interval.high, 1);
}

TEST(Resampled, SpreadItemsGiveAnIntervalAroundTheEstimate) {
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

TEST(Resampled, TheSeedDecides) {
  std::vector<double> values;
  values.reserve(11);
  for (int i = 0; i < 11; ++i) values.push_back(20.0 + i * i);
  const auto mean = [&](const std::vector<size_t>& drawn) {
    double sum = 0;
    for (const size_t index : drawn) sum += values.at(index);
    return sum / static_cast<double>(drawn.size());
  };
  const Interval a = Resampled(values.size(), 3, mean);
  const Interval b = Resampled(values.size(), 3, mean);
  const Interval other = Resampled(values.size(), 4, mean);
  EXPECT_EQ(a.low, b.low);
  EXPECT_EQ(a.high, b.high);
  EXPECT_NE(a.low, other.low);
}

// By hand, of the pairs a = (2, 1) and b = (6, 2):
// draws {a,a}: 2/1, {b,b}: 6/2, {a,b}: 4/1.5; probabilities 1/4, 1/4, 1/2.
// The 2.5 % and 97.5 % quantiles are therefore the extreme ratios.
TEST(Resampled, PercentilesOfTwoItemsAreTheExtremes) {
  const Interval interval = RatioOfMedians({{2, 1}, {6, 2}}, 99);
  EXPECT_DOUBLE_EQ(interval.estimate, 4 / 1.5);
  EXPECT_DOUBLE_EQ(interval.low, 2);
  EXPECT_DOUBLE_EQ(interval.high, 3);
}

// From tables of the distribution.
TEST(Student, IsWhatTablesSay) {
  const std::pair<int64_t, double> table[] = {
      {1, 12.70620}, {2, 4.302653},  {3, 3.182446},  {4, 2.776445},
      {9, 2.262157}, {30, 2.042272}, {99, 1.984217}, {100, 1.983972}};
  for (const auto& [freedom, value] : table)
    EXPECT_NEAR(StudentOf95(freedom), value, 1e-5) << freedom;
}

// By hand, from the t of tables: each tail of a bootstrap of ten, twenty and a
// hundred values.
TEST(Student, TailsOfFewItemsAreSmaller) {
  EXPECT_NEAR(ExpandedTail(10), 0.0086, 5e-5);
  EXPECT_NEAR(ExpandedTail(20), 0.0159, 5e-5);
  EXPECT_NEAR(ExpandedTail(100), 0.0231, 5e-5);
}

// The logarithms of speedups of a few problems, whose mean is known: normal
// ones, those of a model whose answers are often worth nothing, and two kinds
// of problems. Plain percentiles hold the first's in 90 % of the runs of ten.
TEST(Mean, HoldsTheTruth) {
  struct Case {
    const char* name;
    double truth;
    std::function<double(base::Sequence*)> draw;
  };
  const auto uniform = [](base::Sequence* sequence) {
    return (static_cast<double>(sequence->Below(1'000'000)) + 0.5) / 1e6;
  };
  const auto normal = [&](base::Sequence* sequence) {
    double sum = -6;
    for (int i = 0; i < 12; ++i) sum += uniform(sequence);
    return sum;
  };
  const Case cases[] = {
      {"normal", 0, normal},
      {"often none", 0.16,
       [&](base::Sequence* sequence) {
         return uniform(sequence) < 0.8 ? 0.2 + normal(sequence) : 0;
       }},
      {"two kinds", 0, [&](base::Sequence* sequence) {
         return (uniform(sequence) < 0.5 ? -1 : 1) + normal(sequence) / 10;
       }}};
  base::Sequence sequence(9);
  for (const Case& each : cases)
    for (const size_t items : {10, 20}) {
      constexpr int kRuns = 500;
      int held = 0;
      for (int run = 0; run < kRuns; ++run) {
        std::vector<double> values(items);
        for (double& value : values) value = each.draw(&sequence);
        const Interval found = Mean(values, static_cast<uint64_t>(run));
        held += found.low <= each.truth && each.truth <= found.high ? 1 : 0;
      }
      EXPECT_GE(held, 0.925 * kRuns) << each.name << ", " << items;
      EXPECT_LE(held, 0.995 * kRuns) << each.name << ", " << items;
    }
}

// Of none of ten: the upper end is z^2 / (10 + z^2). Others from Python.
TEST(MeanShare, HoldsWhereAllAreTheSameAndBetween) {
  constexpr double kOfNone = 0.2775327998628892;
  const auto expect = [](const std::vector<double>& shares, double samples,
                         double low, double high) {
    const Interval found = MeanShare(shares, samples);
    EXPECT_NEAR(found.low, low, 1e-12);
    EXPECT_NEAR(found.high, high, 1e-12);
  };
  expect(std::vector<double>(10, 0), 10, 0, kOfNone);
  expect(std::vector<double>(10, 0), 40, 0, kOfNone);
  expect(std::vector<double>(10, 1), 10, 1 - kOfNone, 1);
  expect(std::vector<double>(10, 0.5), 20, 0.29929800819821234,
         0.7007019918017877);
  expect({0.25, 0.5, 0, 0, 1, 0.75, 0, 0, 0.25, 0}, 40, 0.11473309139978814,
         0.5260961631293897);
}

// Of ten problems of which a model solves one in twenty, 40 % of the
// bootstrap's intervals hold it, where 95 % should: six in ten runs solve none.
TEST(MeanShare, HoldsTheTruth) {
  base::Sequence sequence(7);
  for (const double truth : {0.02, 0.05, 0.1, 0.3, 0.5, 0.95})
    for (const size_t items : {10, 20, 50}) {
      constexpr int kRuns = 2000;
      int held = 0;
      for (int run = 0; run < kRuns; ++run) {
        std::vector<double> shares(items);
        for (double& share : shares)
          share = static_cast<double>(sequence.Below(1'000'000)) < truth * 1e6;
        const Interval found = MeanShare(shares, static_cast<double>(items));
        held += found.low <= truth && truth <= found.high ? 1 : 0;
      }
      EXPECT_GE(held, 0.88 * kRuns) << items << " items, " << truth;
    }
}

// Of four samples a problem, half of the problems easy.
TEST(MeanShare, HoldsTheTruthOfSeveralSamples) {
  base::Sequence sequence(8);
  for (const auto& [hard, easy] : {std::pair(0, 10), {5, 95}, {10, 70}})
    for (const size_t items : {10, 20, 50}) {
      constexpr int kRuns = 2000, kSamples = 4;
      const double truth = (hard + easy) / 200.0;
      int held = 0;
      for (int run = 0; run < kRuns; ++run) {
        std::vector<double> shares(items);
        for (double& share : shares) {
          const auto chance =
              static_cast<uint64_t>(sequence.Below(2) == 0 ? hard : easy);
          for (int i = 0; i < kSamples; ++i)
            share += sequence.Below(100) < chance ? 1.0 / kSamples : 0;
        }
        const Interval found =
            MeanShare(shares, static_cast<double>(items * kSamples));
        held += found.low <= truth && truth <= found.high ? 1 : 0;
      }
      EXPECT_GE(held, 0.88 * kRuns) << items << " items, " << truth;
    }
}

// By hand: of ten pairs that agree, z * sqrt(1/12 / 12); of (1, 1, 0, -1), the
// middle 1/6 and z * sqrt((4/6 - 1/36) / 6).
TEST(MeanDifference, IsWhatTheHandComputes) {
  const Interval same = MeanDifference(std::vector<double>(10, 0));
  EXPECT_DOUBLE_EQ(same.estimate, 0);
  EXPECT_NEAR(same.low, -0.163330, 1e-6);
  EXPECT_NEAR(same.high, 0.163330, 1e-6);
  const Interval four = MeanDifference({1, 1, 0, -1});
  EXPECT_DOUBLE_EQ(four.estimate, 0.25);
  EXPECT_NEAR(four.low, -0.472899, 1e-6);
  EXPECT_NEAR(four.high, 0.806232, 1e-6);
}

// Two models on the same problems, which are alike hard for both in so many of
// ten cases. Of a bootstrap's intervals 58 % hold the truth of the last.
TEST(MeanDifference, HoldsTheTruth) {
  struct Case {
    uint64_t first, second;  // percent that each solves
    uint64_t alike;          // of ten
  };
  base::Sequence sequence(10);
  for (const Case& each :
       {Case{2, 2, 0}, Case{30, 10, 5}, Case{60, 20, 0}, Case{90, 95, 3}})
    for (const size_t items : {10, 20, 50}) {
      constexpr int kRuns = 4000;
      const double truth =
          (static_cast<double>(each.first) - static_cast<double>(each.second)) /
          100;
      int held = 0;
      for (int run = 0; run < kRuns; ++run) {
        std::vector<double> differences(items);
        for (double& difference : differences) {
          const uint64_t hard = sequence.Below(100);
          const bool alike = sequence.Below(10) < each.alike;
          const uint64_t other = alike ? hard : sequence.Below(100);
          difference = (hard < each.first ? 1.0 : 0.0) -
                       (other < each.second ? 1.0 : 0.0);
        }
        const Interval found = MeanDifference(differences);
        held += found.low <= truth && truth <= found.high ? 1 : 0;
      }
      EXPECT_GE(held, 0.925 * kRuns)
          << each.first << " to " << each.second << " %, " << items;
    }
}

}  // namespace
}  // namespace kb::stats
