#include "run/budget.h"

#include <gtest/gtest.h>

#include <string>

namespace kb::run {
namespace {

std::string Passed(const Budget& budget, const Spent& spent,
                   int64_t in_flight = 0, double minutes = 0) {
  return PassedBy(budget, spent, in_flight, minutes).value_or("");
}

TEST(Budget, WithoutOneNothingEnds) {
  EXPECT_EQ(Passed({}, {1e9, 1000000, 1000000, 5, 1e9}, 99, 1e9), "");
}

TEST(Budget, OneMoreAnswerMustFit) {
  Budget budget;
  budget.usd = 1;
  // One without a price says nothing of the mean.
  Spent spent{0.75, 4, 0, 1, 0, 3};
  EXPECT_EQ(Passed(budget, spent), "");
  EXPECT_EQ(Passed(budget, spent, 1), "--max-cost") << "another is on its way";
  spent.usd = 0.76;
  EXPECT_EQ(Passed(budget, spent), "--max-cost");
  EXPECT_EQ(Passed(budget, Spent{}, 99), "") << "nothing is known yet";
  EXPECT_EQ(Passed(budget, Spent{1}), "--max-cost");
}

TEST(Budget, AnswersAreCountedWithThoseOnTheirWay) {
  Budget budget;
  budget.answers = 5;
  EXPECT_EQ(Passed(budget, Spent{0, 4}), "");
  EXPECT_EQ(Passed(budget, Spent{0, 4}, 1), "--max-answers");
  EXPECT_EQ(Passed(budget, Spent{0, 5}), "--max-answers");
}

TEST(Budget, TokensAreThoseOfTheMeanAnswer) {
  Budget budget;
  budget.tokens = 1000;
  EXPECT_EQ(Passed(budget, Spent{0, 9, 900}), "");
  EXPECT_EQ(Passed(budget, Spent{0, 9, 901}), "--max-run-tokens");
}

TEST(Budget, TimeThatIsOverEndsIt) {
  Budget budget;
  budget.minutes = 2;
  budget.device_seconds = 30;
  EXPECT_EQ(Passed(budget, Spent{0, 0, 0, 0, 29}, 0, 1.9), "");
  EXPECT_EQ(Passed(budget, Spent{0, 0, 0, 0, 29}, 0, 2), "--max-minutes");
  EXPECT_EQ(Passed(budget, Spent{0, 0, 0, 0, 30}), "--max-device-seconds");
}

}  // namespace
}  // namespace kb::run
