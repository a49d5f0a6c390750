#include "analysis/turns.h"

#include <gtest/gtest.h>

namespace kb::analysis {
namespace {

using record::Verdict;

TEST(Turns, CorrectBeatsIncorrectAndFastBeatsSlow) {
  const std::vector<TurnRank> ranks{
      RankOf(Verdict::kCompileError, {}), RankOf(Verdict::kCorrect, 0.5),
      RankOf(Verdict::kCorrect, 1.5), RankOf(Verdict::kCorrect, 1.25),
      RankOf(Verdict::kIncorrect, {})};
  EXPECT_EQ(BestTurn(ranks), 2U);
}

TEST(Turns, WhatCameFurtherIsBetter) {
  using enum Verdict;
  for (const auto& [less, more] :
       {std::pair(kRejected, kCompileError),
        std::pair(kCompileError, kLoadError),
        std::pair(kLoadError, kRuntimeError), std::pair(kTimeout, kIncorrect),
        std::pair(kNotCertified, kCompileError),
        std::pair(kIncorrect, kCorrect)})
    EXPECT_LT(RankOf(less, {}), RankOf(more, {})) << record::VerdictName(less);
  EXPECT_EQ(RankOf(std::nullopt, {}), RankOf(kRejected, {}));
}

TEST(Turns, OfEqualsTheFirstCorrectOneAndTheLastWrongOne) {
  const TurnRank correct = RankOf(Verdict::kCorrect, {});
  const TurnRank wrong = RankOf(Verdict::kIncorrect, {});
  EXPECT_EQ(BestTurn({wrong, correct, correct}), 1U);
  EXPECT_EQ(BestTurn({wrong, wrong}), 1U);
}

// A speedup of what is not correct is nobody's.
TEST(Turns, SpeedupCountsOfCorrectOnesOnly) {
  EXPECT_EQ(RankOf(Verdict::kNotCertified, 100), RankOf(std::nullopt, {}));
}

}  // namespace
}  // namespace kb::analysis
