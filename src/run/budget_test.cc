#include "run/budget.h"

#include <gtest/gtest.h>

#include <string>

namespace kb::run {
namespace {

std::string Passed(const Budget& budget, const Spent& spent,
                   const Counted& counted = {}, int64_t in_flight = 0,
                   double minutes = 0) {
  return PassedBy(budget, spent, counted, in_flight, minutes).value_or("");
}

TEST(Budget, WithoutOneNothingEnds) {
  EXPECT_EQ(Passed({}, {1e9, 1000000, 1000000, 5, 1e9}, {}, 99, 1e9), "");
}

TEST(Budget, OneMoreAnswerMustFit) {
  Budget budget;
  budget.usd = 1;
  const Counted quarter{0.5, 2, 0, 2};
  EXPECT_EQ(Passed(budget, Spent{0.75}, quarter), "");
  EXPECT_EQ(Passed(budget, Spent{0.76}, quarter), "--max-cost");
  EXPECT_EQ(Passed(budget, Spent{0.75}, quarter, 1), "--max-cost")
      << "another is on its way";
  EXPECT_EQ(Passed(budget, Spent{0.99}), "") << "nothing is known yet";
  EXPECT_EQ(Passed(budget, Spent{1}), "--max-cost");
}

TEST(Budget, AnswersAreCountedWithThoseOnTheirWay) {
  Budget budget;
  budget.answers = 5;
  EXPECT_EQ(Passed(budget, Spent{0, 4}), "");
  EXPECT_EQ(Passed(budget, Spent{0, 4}, {}, 1), "--max-answers");
  EXPECT_EQ(Passed(budget, Spent{0, 5}), "--max-answers");
}

TEST(Budget, TokensAreThoseOfTheMeanAnswer) {
  Budget budget;
  budget.tokens = 1000;
  const Counted hundred{0, 0, 400, 4};
  EXPECT_EQ(Passed(budget, Spent{0, 0, 900}, hundred), "");
  EXPECT_EQ(Passed(budget, Spent{0, 0, 901}, hundred), "--max-run-tokens");
}

TEST(Budget, TimeThatIsOverEndsIt) {
  Budget budget;
  budget.minutes = 2;
  budget.device_seconds = 30;
  EXPECT_EQ(Passed(budget, Spent{0, 0, 0, 0, 29}, {}, 0, 1.9), "");
  EXPECT_EQ(Passed(budget, Spent{0, 0, 0, 0, 29}, {}, 0, 2), "--max-minutes");
  EXPECT_EQ(Passed(budget, Spent{0, 0, 0, 0, 30}), "--max-device-seconds");
}

}  // namespace
}  // namespace kb::run
