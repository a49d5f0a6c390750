#include "search/halving.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

namespace kb::search {
namespace {

using record::Verdict;

TEST(HalvingTest, ValueIsOneForCorrectAndOneForEachDoubling) {
  EXPECT_EQ(ValueOf(Verdict::kIncorrect, std::nullopt), 0);
  EXPECT_EQ(ValueOf(std::nullopt, std::nullopt), 0);
  EXPECT_EQ(ValueOf(Verdict::kCorrect, std::nullopt), 1);
  EXPECT_EQ(ValueOf(Verdict::kCorrect, 0.25), 1) << "one keeps eager";
  EXPECT_EQ(ValueOf(Verdict::kCorrect, 8.0), 4);
}

// Over all n-tuples of a die's faces, each as likely: E[max of n] is
// sum over k of 1 - ((k - 1) / 6)^n, so both sides are known exactly.
TEST(HalvingTest, GainIsOnAverageWhatTheLastAnswerBrought) {
  constexpr int kFaces = 6;
  const auto mean_of_max = [](int n) {
    double sum = 0;
    for (int k = 1; k <= kFaces; ++k)
      sum += 1 - std::pow((k - 1.0) / kFaces, n);
    return n == 0 ? 0 : sum;
  };
  for (int n = 1; n <= 5; ++n) {
    const auto tuples = static_cast<int64_t>(std::pow(kFaces, n));
    double sum = 0;
    for (int64_t tuple = 0; tuple < tuples; ++tuple) {
      std::vector<double> values;
      int64_t left = tuple;
      for (int i = 0; i < n; ++i, left /= kFaces)
        values.push_back(static_cast<double>(left % kFaces + 1));
      sum += ExpectedGain(values);
    }
    EXPECT_NEAR(sum / static_cast<double>(tuples),
                mean_of_max(n) - mean_of_max(n - 1), 1e-9)
        << n;
  }
}

TEST(HalvingTest, GainOfFewAnswers) {
  EXPECT_EQ(ExpectedGain({}), 0);
  EXPECT_EQ(ExpectedGain({3}), 3);
  EXPECT_EQ(ExpectedGain({1, 4, 2}), 2.0 / 3);
  EXPECT_EQ(ExpectedGain({4, 4}), 0);
}

TEST(HalvingTest, RoundsAreTheLogarithmRoundedUp) {
  EXPECT_EQ(RoundsOf({1, 1, 2}), 1);
  EXPECT_EQ(RoundsOf({2, 2, 2}), 1);
  EXPECT_EQ(RoundsOf({5, 5, 2}), 3);
  EXPECT_EQ(RoundsOf({8, 8, 2}), 3);
  EXPECT_EQ(RoundsOf({9, 9, 3}), 2);
}

// Eight arms; answer k of arm i is worth a_i (1 - 2^-k), so the best rises by
// a_i 2^-k and the arms' order by gain is that of a at any k.
TEST(HalvingTest, BudgetGoesToTheArmsThatStillGain) {
  const std::vector<double> scale{1, 8, 3, 5, 2, 7, 4, 6};
  std::vector<std::vector<double>> values;
  for (const double a : scale) {
    values.emplace_back();
    for (int k = 1; k <= 40; ++k)
      values.back().push_back(a * (1 - std::exp2(-k)));
  }
  const HalvingPlan plan{8, 48, 2};
  // Three rounds of 16 answers: 2 each of 8, 4 each of 4, 8 each of 2.
  EXPECT_EQ(LimitsInRound(plan, 0, values),
            (std::vector<int64_t>{2, 2, 2, 2, 2, 2, 2, 2}));
  EXPECT_EQ(LimitsInRound(plan, 1, values),
            (std::vector<int64_t>{2, 6, 2, 6, 2, 6, 2, 6}));
  EXPECT_EQ(LimitsInRound(plan, 2, values),
            (std::vector<int64_t>{2, 14, 2, 6, 2, 14, 2, 6}));
  EXPECT_EQ(LimitsInRound(plan, 3, values), LimitsInRound(plan, 2, values));
  // The best of all arms then: each a_i (1 - 2^-limit); uniformly 6 each.
  const auto total = [&](const std::vector<int64_t>& limits) {
    double sum = 0;
    for (size_t i = 0; i < scale.size(); ++i)
      sum += scale[i] * (1 - std::exp2(-static_cast<double>(limits[i])));
    return sum;
  };
  EXPECT_NEAR(total(LimitsInRound(plan, 0, values)), 36 * 0.75, 1e-12);
}

// One arm in eight has anything to find, at its ninth answer; uniformly no arm
// gets that far with this budget.
TEST(HalvingTest, FindsWhatAUniformBudgetDoesNot) {
  std::vector<std::vector<double>> values(8, std::vector<double>(24, 1.0));
  for (int k = 0; k < 24; ++k) values[5][static_cast<size_t>(k)] = 1.0 + k;
  const HalvingPlan plan{8, 48, 2};
  EXPECT_EQ(LimitsInRound(plan, 2, values)[5], 14);
  EXPECT_LT(plan.answers / 8, 9);
}

TEST(HalvingTest, ArmThatGainsNothingIsLeftHoweverGoodItIs) {
  const std::vector<double> high(8, 9.0);
  const std::vector<double> rising{1, 2, 3, 4, 5, 6, 7, 8};
  EXPECT_EQ(LimitsInRound({4, 16, 2}, 1, {high, rising, high, rising}),
            (std::vector<int64_t>{2, 6, 2, 6}));
}

TEST(HalvingTest, NeverGivesOutMoreThanThereIs) {
  for (size_t arms = 1; arms <= 13; ++arms)
    for (int64_t answers = static_cast<int64_t>(arms); answers <= 60; ++answers)
      for (const int64_t eta : {2, 3, 4}) {
        const HalvingPlan plan{arms, answers, eta};
        const std::vector<std::vector<double>> values(arms);
        const auto limits = LimitsInRound(plan, RoundsOf(plan) - 1, values);
        const int64_t sum =
            std::accumulate(limits.begin(), limits.end(), int64_t{0});
        EXPECT_LE(sum, answers);
        // What is left is less than one for each arm of the last round.
        EXPECT_GT(sum + eta, answers) << arms << " " << answers << " " << eta;
        for (const int64_t limit : limits) EXPECT_GE(limit, 1);
      }
}

TEST(HalvingTest, LaterAnswersDoNotChangeARoundThatIsOver) {
  std::vector<std::vector<double>> values{{1, 2}, {3, 3}, {0, 0}, {5, 1}};
  const HalvingPlan plan{4, 16, 2};
  const auto second = LimitsInRound(plan, 1, values);
  values[3].insert(values[3].end(), {9, 9, 9});
  EXPECT_EQ(LimitsInRound(plan, 1, values), second);
}

}  // namespace
}  // namespace kb::search
