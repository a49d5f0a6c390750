#include "html/format.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <string>

namespace kb::html {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

TEST(Format, TimeThatRoundsUpGainsADigitNotAPlace) {
  EXPECT_EQ(FormatTime(9.994), "9.99 us");
  EXPECT_EQ(FormatTime(9.996), "10.0 us");
  EXPECT_EQ(FormatTime(99.94), "99.9 us");
  EXPECT_EQ(FormatTime(99.96), "100 us");
  EXPECT_EQ(FormatTime(0.9996), "1.00 us");
}

TEST(Format, TimeThatRoundsUpToTheNextUnitIsGivenInIt) {
  EXPECT_EQ(FormatTime(999.5), "1.00 ms");
  EXPECT_EQ(FormatTime(1000), "1.00 ms");
  EXPECT_EQ(FormatTime(999'400), "999 ms");
  EXPECT_EQ(FormatTime(999'600), "1.00 s");
  EXPECT_EQ(FormatTime(-999.6), "-1.00 ms");
}

TEST(Format, SecondsAreTheLargestUnit) {
  EXPECT_EQ(FormatTime(1e6), "1.00 s");
  EXPECT_EQ(FormatTime(123.4e6), "123 s");
  EXPECT_EQ(FormatTime(5e9), "5000 s");
}

TEST(Format, OnlyTheFirstUnitIsWrittenAsAsked) {
  EXPECT_EQ(FormatTime(12.3, "\u00b5s"), "12.3 \u00b5s");
  EXPECT_EQ(FormatTime(12'300, "\u00b5s"), "12.3 ms");
  EXPECT_EQ(FormatTime(12.3e6, "\u00b5s"), "12.3 s");
}

TEST(Format, WhatIsNoNumberIsAQuestion) {
  EXPECT_EQ(FormatTime(kInfinity), "?");
  EXPECT_EQ(FormatTime(-kInfinity), "?");
  EXPECT_EQ(FormatRatio(kNan), "?x");
  EXPECT_EQ(FormatRatio(kInfinity), "?x");
  EXPECT_EQ(FormatSpeedup({2, kNan, kInfinity}), "2.00x [?, ?]");
}

TEST(Format, AnEndThatIsFarAwayIsUnknown) {
  EXPECT_EQ(FormatSpeedup({19.1, 5.09, 38'710'380}), "19.1x [5.09, ?]");
  EXPECT_EQ(FormatSpeedup({2, 1e-6, 1999}), "2.00x [?, 1999]");
  EXPECT_EQ(FormatSpeedup({2, 0.002, 2001}), "2.00x [0.002, ?]");
  EXPECT_EQ(FormatSpeedup({0, 0, 0}), "0.000x [0.000, 0.000]");
}

TEST(Format, RatiosRoundToThreeDigits) {
  EXPECT_EQ(FormatRatio(1), "1.00x");
  EXPECT_EQ(FormatRatio(0.9994), "0.999x");
  EXPECT_EQ(FormatRatio(0.9996), "1.00x");
  EXPECT_EQ(FormatRatio(9.996), "10.0x");
  EXPECT_EQ(FormatRatio(99.96), "100x");
  EXPECT_EQ(FormatRatio(0.1), "0.100x");
  EXPECT_EQ(FormatRatio(0), "0.000x");
}

// A speedup that is small is still not none.
TEST(Format, TinyRatiosDoNotBecomeZero) {
  EXPECT_EQ(FormatRatio(0.00042), "0.00042x");
  EXPECT_EQ(FormatRatio(-0.25), "-0.250x");
}

TEST(Format, CountsHaveACommaBeforeEachThreeDigits) {
  EXPECT_EQ(FormatCount(0), "0");
  EXPECT_EQ(FormatCount(999), "999");
  EXPECT_EQ(FormatCount(1000), "1,000");
  EXPECT_EQ(FormatCount(65'536), "65,536");
  EXPECT_EQ(FormatCount(100'000), "100,000");
  EXPECT_EQ(FormatCount(-1000), "-1,000");
  EXPECT_EQ(FormatCount(-100'000), "-100,000");
}

TEST(Format, CountsReachTheEndsOfTheirType) {
  EXPECT_EQ(FormatCount(std::numeric_limits<int64_t>::max()),
            "9,223,372,036,854,775,807");
  EXPECT_EQ(FormatCount(std::numeric_limits<int64_t>::min()),
            "-9,223,372,036,854,775,808");
}

TEST(Format, VerdictsAreWordsForPeople) {
  using record::Verdict;
  EXPECT_EQ(FormatVerdict(Verdict::kCorrect), "correct");
  EXPECT_EQ(FormatVerdict(Verdict::kNotCertified), "not certified");
  EXPECT_EQ(FormatVerdict(Verdict::kOutOfMemory), "out of memory");
  EXPECT_EQ(FormatVerdict(std::nullopt), "not run");
}

TEST(Format, VerdictOfAnEvaluationIsItsOwn) {
  record::Evaluation evaluation;
  EXPECT_EQ(FormatVerdict(evaluation), "not run");
  evaluation.verdict = record::Verdict::kCompileError;
  EXPECT_EQ(FormatVerdict(evaluation), "compile error");
}

}  // namespace
}  // namespace kb::html
