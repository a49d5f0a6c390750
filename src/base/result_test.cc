#include "base/result.h"

#include <gtest/gtest.h>

#include <ctime>
#include <memory>
#include <string>

#include "base/check.h"
#include "base/clock.h"

namespace kb::base {
namespace {

Result<void> Positive(int x) {
  if (x <= 0) return Fail("{} is not positive", x);
  return Ok();
}

TEST(Error, IsOursUnlessItIsTheUsers) {
  EXPECT_EQ(Positive(-1).error().kind(), Error::Kind::kFailure);
  EXPECT_EQ(Error("x").kind(), Error::Kind::kFailure);
}

TEST(Error, WrapAddsWhatWeDidAndKeepsTheKind) {
  const Error usage("no such file", Error::Kind::kUsage);
  const Error wrapped = usage.Wrap("reading x").Wrap("judging y");
  EXPECT_EQ(wrapped.message(), "judging y: reading x: no such file");
  EXPECT_EQ(wrapped.kind(), Error::Kind::kUsage);
  EXPECT_EQ(usage.message(), "no such file");
}

// What a message is made of is no format.
TEST(Error, BracesOfAValueStayAsTheyAre) {
  const Result<int> failed = Fail("{}", "{0} {}");
  EXPECT_EQ(failed.error().message(), "{0} {}");
}

Result<int> CountOfPositive(int first, int second, int* steps) {
  KB_TRY(Positive(first));
  ++*steps;
  KB_TRY(Positive(second));
  ++*steps;
  return *steps;
}

TEST(Result, TryStopsAtTheFirstFailure) {
  int steps = 0;
  EXPECT_EQ(CountOfPositive(-1, -2, &steps).error().message(),
            "-1 is not positive");
  EXPECT_EQ(steps, 0);
  EXPECT_EQ(CountOfPositive(1, -2, &steps).error().message(),
            "-2 is not positive");
  EXPECT_EQ(steps, 1);
}

Result<std::unique_ptr<int>> Owned(bool works) {
  if (!works) return Usage("{}", "nobody owns it");
  return std::make_unique<int>(7);
}

Result<int> SumOfOwned(bool second_works) {
  KB_ASSIGN(const std::unique_ptr<int> first, Owned(true));
  KB_ASSIGN(const std::unique_ptr<int> second, Owned(second_works));
  return *first + *second;
}

TEST(Result, AssignMovesWhatCannotBeCopied) {
  EXPECT_EQ(*SumOfOwned(true), 14);
  EXPECT_EQ(SumOfOwned(false).error().kind(), Error::Kind::kUsage);
}

// Fail must not be taken for a value where the value is a text too.
TEST(Result, TextIsAValueAndFailureIsNot) {
  const Result<std::string> value = std::string("no error");
  const Result<std::string> failed = Fail("{}", "no error");
  EXPECT_TRUE(value);
  EXPECT_FALSE(failed);
}

TEST(CheckDeathTest, MistakeSaysWhereAndEndsTheProgram) {
  EXPECT_DEATH(KB_CHECK(1 + 1 == 3),
               "internal error: .*result_test.cc:[0-9]+: 1 \\+ 1 == 3");
}

TEST(Check, ConditionIsEvaluatedOnce) {
  int count = 0;
  KB_CHECK(++count == 1);
  EXPECT_EQ(count, 1);
}

TEST(Clock, SaysTheTimeOfDayInUtc) {
  const time_t before = std::time(nullptr);
  const std::string now = UtcNow();
  const time_t after = std::time(nullptr);
  std::tm parsed{};
  const char* rest = strptime(now.c_str(), "%Y-%m-%dT%H:%M:%SZ", &parsed);
  ASSERT_NE(rest, nullptr) << now;
  EXPECT_STREQ(rest, "");
  EXPECT_EQ(now.size(), std::string("2026-11-23T07:32:00Z").size());
  EXPECT_LE(before, timegm(&parsed));
  EXPECT_LE(timegm(&parsed), after);
}

}  // namespace
}  // namespace kb::base
