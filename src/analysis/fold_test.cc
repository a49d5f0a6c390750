// Scores of samples that take several turns.

#include <gtest/gtest.h>

#include "analysis/turns.h"

namespace kb::analysis {
namespace {

using record::Verdict;

Entry Of(int64_t sample, int64_t turn, std::optional<Verdict> verdict,
         std::optional<double> speedup = {}, bool confirms = false) {
  Entry entry;
  entry.run = "run";
  entry.outcome.model = "model";
  entry.outcome.problem_id = "level1/" + std::to_string(sample);
  entry.outcome.sample = 0;
  entry.outcome.turn = turn;
  entry.outcome.verdict = verdict;
  entry.outcome.speedup = speedup;
  entry.outcome.confirms = confirms;
  entry.outcome.wall_seconds = 30;
  if (!verdict) entry.outcome.unusable = record::GenerationStatus::kNoCode;
  entry.answers =
      std::make_shared<const std::vector<AnswerCost>>(std::vector<AnswerCost>{
          {1, 100, 0.5, 30}, {2, 200, 0.25, 30}, {3, 300, 0.25, 30}});
  return entry;
}

// A sample that becomes correct and then fast, and one that never does.
std::vector<Entry> Entries() {
  return {
      Of(1, 1, Verdict::kIncorrect),    Of(1, 2, Verdict::kCorrect, 0.5),
      Of(1, 3, Verdict::kCorrect, 2.0), Of(1, 3, Verdict::kCorrect, 1.6, true),
      Of(2, 1, std::nullopt),           Of(2, 2, Verdict::kCompileError),
      Of(2, 3, Verdict::kIncorrect)};
}

TEST(FoldTurns, OneEntryOfEachSampleIsOfItsBestTurnSoFar) {
  const auto first = FoldTurns(Entries(), 1, Figure::kChosenBy);
  ASSERT_EQ(first.size(), 2U);
  EXPECT_EQ(first[0].outcome.verdict, Verdict::kIncorrect);
  EXPECT_TRUE(first[1].outcome.unusable);
  const auto third = FoldTurns(Entries(), 3, Figure::kChosenBy);
  ASSERT_EQ(third.size(), 2U);
  EXPECT_EQ(third[0].outcome.speedup, 2.0);
  EXPECT_FALSE(third[0].confirmed);
  EXPECT_EQ(third[1].outcome.turn, 3);
}

TEST(FoldTurns, ItCostsWhatAllTurnsSoFarDid) {
  const auto second = FoldTurns(Entries(), 2, Figure::kChosenBy);
  EXPECT_EQ(second[0].outcome.usd, 0.75);
  EXPECT_EQ(second[0].seconds, 60);
  EXPECT_EQ(second[0].judging_seconds, 60);
}

TEST(FoldTurns, UpToTheFirstCorrectOneFewerTurnsCount) {
  const auto third = FoldTurns(Entries(), 3, Figure::kConfirmed);
  EXPECT_EQ(third[0].seconds, 90);
  EXPECT_EQ(third[0].seconds_to_correct, 60);
  EXPECT_FALSE(third[1].seconds_to_correct);
  const Row row = Score(third, {}).rows[0];
  EXPECT_EQ(row.seconds_to_correct.value->estimate, 60);
}

TEST(FoldTurns, WhatWasJudgedAgainIsTheFigure) {
  const auto folded = FoldTurns(Entries(), 3, Figure::kConfirmed);
  EXPECT_EQ(folded[0].outcome.speedup, 1.6);
  EXPECT_EQ(folded[0].chosen_by, 2.0);
  const auto optimism = OptimismOf(folded);
  ASSERT_EQ(optimism.size(), 1U);
  EXPECT_EQ(optimism[0].samples, 1);
  EXPECT_EQ(optimism[0].not_again, 0);
  EXPECT_DOUBLE_EQ(optimism[0].chosen_by, 2.0);
  EXPECT_DOUBLE_EQ(optimism[0].confirmed, 1.6);
}

TEST(FoldTurns, WinnerThatIsWrongWhenJudgedAgainIsWrong) {
  std::vector<Entry> entries = Entries();
  entries[3].outcome.verdict = Verdict::kIncorrect;
  const auto folded = FoldTurns(entries, 3, Figure::kConfirmed);
  EXPECT_EQ(folded[0].outcome.verdict, Verdict::kIncorrect);
  EXPECT_EQ(OptimismOf(folded)[0].not_again, 1);
  entries[3].outcome.verdict = Verdict::kInfraError;
  EXPECT_EQ(FoldTurns(entries, 3, Figure::kConfirmed)[0].outcome.speedup, 2.0)
      << "our own failure says nothing";
}

TEST(FoldTurns, SamplesOfOneTurnStayAsTheyAre) {
  std::vector<Entry> entries{Of(1, 1, Verdict::kCorrect, 2),
                             Of(1, 1, Verdict::kCorrect, 3)};
  EXPECT_EQ(FoldTurns(entries, 1, Figure::kConfirmed).size(), 2U);
  EXPECT_TRUE(TurnsToShow(entries).empty());
}

TEST(ScoreTurns, FastPRisesAndSoDoesWhatItTook) {
  std::vector<TurnEntries> by_turn;
  for (const int64_t turn : TurnsToShow(Entries()))
    by_turn.push_back({turn, FoldTurns(Entries(), turn, Figure::kChosenBy)});
  ScoreOptions options;
  options.ps = {0, 1};
  const auto rows = ScoreTurns(by_turn, options);
  ASSERT_EQ(rows.size(), 3U);
  EXPECT_EQ(rows[0].fast, (std::vector<double>{0, 0}));
  EXPECT_EQ(rows[1].fast, (std::vector<double>{0.5, 0}));
  EXPECT_EQ(rows[2].fast, (std::vector<double>{0.5, 0.5}));
  EXPECT_EQ(rows[0].tokens, 200);
  EXPECT_EQ(rows[2].tokens, 1200);
  EXPECT_EQ(rows[0].usd, 1.0);
  EXPECT_EQ(rows[2].usd, 2.0);
  // 30 s each to answer and to judge, of which one answer was not judged.
  EXPECT_DOUBLE_EQ(rows[2].minutes, 6);
}

TEST(ScoreTurns, ManyTurnsAreThinnedOut) {
  const auto turns = TurnsToShow({Of(1, 47, Verdict::kCorrect)});
  EXPECT_EQ(turns.size(), 20U + 2U + 1U);
  EXPECT_EQ(turns.back(), 47);
}

}  // namespace
}  // namespace kb::analysis
