#include "analysis/rulers.h"

#include <gtest/gtest.h>

namespace kb::analysis {
namespace {

using record::Verdict;

// Sample 3 of level1/1, judged as row `id`.
Entry Of(const std::string& run, int64_t id, int64_t ruler,
         std::optional<double> speedup = 2) {
  Entry entry;
  entry.run = run;
  entry.outcome.id = id;
  entry.outcome.problem_id = "level1/1";
  entry.outcome.candidate_name = "a.cu";
  entry.outcome.candidate_hash = "c";
  entry.outcome.sample = 3;
  entry.outcome.device_name = "H200";
  entry.outcome.verdict = Verdict::kCorrect;
  entry.outcome.ruler = ruler;
  entry.outcome.speedup = speedup;
  return entry;
}

bool Contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(RulerOf, IsTheOneThatMeasuredAll) {
  EXPECT_EQ(*RulerOf({}), 0);
  EXPECT_EQ(*RulerOf({Of("m", 1, 0, {})}), 0);
  EXPECT_EQ(*RulerOf({Of("m", 1, 1), Of("m", 2, 0, {})}), 1);
  EXPECT_EQ(*RulerOf({Of("m", 1, 2), Of("n", 1, 2)}), 2);
}

TEST(RulerOf, TwoRulersAreAUsageErrorThatSaysWhereAndWhatToDo) {
  const auto ruler = RulerOf(
      {Of("old", 1, 1), Of("old", 2, 1), Of("new", 1, 2), Of("new", 2, 0, {})});
  ASSERT_FALSE(ruler);
  EXPECT_EQ(ruler.error().kind(), base::Error::Kind::kUsage);
  const std::string& said = ruler.error().message();
  for (const char* part : {"old: 2 (as level1/1 a.cu)", "version 2", "again"})
    EXPECT_TRUE(Contains(said, part)) << said;
  EXPECT_FALSE(Contains(said, "new:")) << said;
}

// Its verdict is not comparable either, although no score has its time.
TEST(RulerOf, SampleWithoutASpeedupCountsWhenItWasTimed) {
  Entry refused = Of("m", 1, 1, {});
  refused.outcome.verdict = Verdict::kNotCertified;
  EXPECT_FALSE(RulerOf({refused, Of("m", 2, 2)}));
}

TEST(Superseded, SampleJudgedAgainIsTheLaterOne) {
  std::vector<Entry> entries{Of("m", 1, 1), Of("m", 2, 1), Of("m", 3, 2)};
  DropSuperseded(&entries);
  ASSERT_EQ(entries.size(), 1U);
  EXPECT_EQ(entries[0].outcome.id, 3);
  EXPECT_EQ(*RulerOf(entries), 2);
}

TEST(Superseded, OneThatNowFailsToCompileIsLaterToo) {
  std::vector<Entry> entries{Of("m", 1, 1), Of("m", 2, 0, {})};
  entries[1].outcome.verdict = Verdict::kCompileError;
  entries[1].outcome.device_name.clear();
  DropSuperseded(&entries);
  EXPECT_EQ(entries.size(), 1U);
}

TEST(Superseded, OtherSamplesStay) {
  std::vector<Entry> entries{Of("m", 1, 1), Of("m", 2, 2), Of("m", 3, 2),
                             Of("n", 4, 2), Of("m", 5, 0, {})};
  entries[1].outcome.sample = 4;
  entries[2].outcome.device_name = "H100";
  entries[4].outcome.verdict = Verdict::kInfraError;
  DropSuperseded(&entries);
  EXPECT_EQ(entries.size(), 5U);
}

TEST(Superseded, TodaysAreAllKept) {
  std::vector<Entry> entries{Of("m", 1, 2), Of("m", 2, 2)};
  DropSuperseded(&entries);
  EXPECT_EQ(entries.size(), 2U);
}

Entry OfModel(int64_t id, std::optional<Verdict> verdict) {
  Entry entry = Of("m", id, 2);
  entry.outcome.model = "tiny";
  entry.outcome.verdict = verdict;
  return entry;
}

TEST(Superseded, NewestResultOfAModelsSampleCounts) {
  std::vector<Entry> entries{OfModel(1, Verdict::kIncorrect),
                             OfModel(2, Verdict::kCorrect)};
  EXPECT_EQ(DropSuperseded(&entries), 1);
  ASSERT_EQ(entries.size(), 1U);
  EXPECT_EQ(entries[0].outcome.id, 2);
}

TEST(Superseded, OurFailureCountsOnlyWhereThereIsNothingElse) {
  std::vector<Entry> entries{OfModel(1, Verdict::kInfraError),
                             OfModel(2, Verdict::kCorrect),
                             OfModel(3, Verdict::kInfraError)};
  entries[0].outcome.device_name.clear();
  EXPECT_EQ(DropSuperseded(&entries), 2);
  ASSERT_EQ(entries.size(), 1U);
  EXPECT_EQ(entries[0].outcome.id, 2);
  entries = {OfModel(1, Verdict::kInfraError),
             OfModel(2, Verdict::kInfraError)};
  EXPECT_EQ(DropSuperseded(&entries), 1);
}

// Any of them may have been on its way there.
TEST(Superseded, WhatReachedNoneOfSeveralDevicesSupersedesItsLikeAlone) {
  std::vector<Entry> entries{OfModel(1, Verdict::kCorrect),
                             OfModel(2, Verdict::kCompileError),
                             OfModel(3, Verdict::kCompileError)};
  for (const size_t i : {1, 2}) entries[i].outcome.device_name.clear();
  entries[0].asked_on = {"H100", "H200"};
  EXPECT_EQ(DropSuperseded(&entries), 1);
  ASSERT_EQ(entries.size(), 2U);
  EXPECT_EQ(entries[0].outcome.id, 1);
  EXPECT_EQ(entries[1].outcome.id, 3);
  entries.push_back(OfModel(4, Verdict::kCorrect));
  entries.back().outcome.device_name = "H100";
  entries[0].asked_on.clear();
  EXPECT_EQ(DropSuperseded(&entries), 0);
}

TEST(Superseded, AnswersWithoutACandidateStay) {
  Entry unusable = OfModel(0, {});
  unusable.outcome.unusable = record::GenerationStatus::kNoCode;
  std::vector<Entry> entries{unusable, OfModel(1, Verdict::kCorrect)};
  EXPECT_EQ(DropSuperseded(&entries), 0);
}

TEST(WallTimes, MissingOneIsAUsageErrorThatNamesIt) {
  std::vector<Entry> entries{Of("m", 1, 2), Of("m", 2, 2, {})};
  entries[0].outcome.wall_speedup = 1.5;
  EXPECT_TRUE(CheckWallTimes(entries));
  entries.push_back(Of("old", 1, 1));
  const auto checked = CheckWallTimes(entries);
  ASSERT_FALSE(checked);
  EXPECT_EQ(checked.error().kind(), base::Error::Kind::kUsage);
  EXPECT_TRUE(Contains(checked.error().message(), "1 of 3 samples"));
  EXPECT_TRUE(Contains(checked.error().message(), "level1/1 a.cu of old"));
}

TEST(Foreign, SpeedupWithoutARulerIsImported) {
  EXPECT_EQ(CountForeign({Of("m", 1, 0), Of("m", 2, 0, {}), Of("m", 3, 2)}), 1);
}

TEST(RulerRemark, IsSaidOfTheFirstRulerOnly) {
  EXPECT_EQ(RulerRemark(0), "");
  EXPECT_EQ(RulerRemark(record::kRulerVersion), "");
  EXPECT_TRUE(Contains(RulerRemark(1), "not comparable with today's"));
}

}  // namespace
}  // namespace kb::analysis
