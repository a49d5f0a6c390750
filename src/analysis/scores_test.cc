#include "analysis/scores.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

namespace kb::analysis {
namespace {

using record::Verdict;

Entry Of(const std::string& run, const std::string& problem,
         std::optional<Verdict> verdict, std::optional<double> speedup = {}) {
  Entry entry;
  entry.run = run;
  entry.outcome.problem_id = problem;
  entry.outcome.verdict = verdict;
  entry.outcome.speedup = speedup;
  entry.tags = {"all", problem.substr(problem.size() - 1)};
  return entry;
}

std::vector<Entry> Some() {
  return {Of("m", "level1/1", Verdict::kCorrect, 2),
          Of("m", "level1/1", Verdict::kCompileError),
          Of("m", "level1/2", Verdict::kIncorrect),
          Of("m", "level2/1", Verdict::kCorrect, 0.5),
          Of("n", "level1/1", Verdict::kNotCertified)};
}

TEST(Score, OneRowARun) {
  const Scores scores = Score(Some(), {});
  ASSERT_EQ(scores.rows.size(), 2U);
  const Row& row = scores.rows[0];
  EXPECT_EQ(row.run, "m");
  EXPECT_EQ(row.group, "");
  EXPECT_EQ(row.problems, 3);
  EXPECT_EQ(row.samples, 4);
  EXPECT_EQ(row.with_speedup, 2);
  EXPECT_DOUBLE_EQ(row.fast[0].estimate, 0.5);      // (1/2 + 0 + 1) / 3
  EXPECT_DOUBLE_EQ(row.fast[3].estimate, 0.5 / 3);  // p = 1
  EXPECT_DOUBLE_EQ(row.compiled.estimate, 2.5 / 3);
  EXPECT_DOUBLE_EQ(row.speedup->estimate, 1);  // sqrt(2 * 0.5)
  EXPECT_EQ(row.verdicts.at(Verdict::kCorrect), 2);
  EXPECT_EQ(scores.rows[1].fast[0].estimate, 0);
}

TEST(Score, ByWallTimeWhereThatIsAskedFor) {
  std::vector<Entry> entries = Some();
  entries[0].outcome.wall_speedup = 0.9;
  entries[3].outcome.wall_speedup = 0.4;
  ScoreOptions options;
  for (const Time time : {Time::kDevice, Time::kWall}) {
    options.time = *ParseTime(TimeName(time));
    const Scores scores = Score(entries, options);
    const Row& row = scores.rows[0];
    const bool wall = time == Time::kWall;
    EXPECT_DOUBLE_EQ(row.fast[3].estimate, wall ? 0 : 0.5 / 3);  // p = 1
    EXPECT_DOUBLE_EQ(row.fast[2].estimate, 0.5 / 3);             // p = 0.8
    // Both means are there either way.
    EXPECT_DOUBLE_EQ(row.speedup->estimate, 1);
    EXPECT_DOUBLE_EQ(row.wall_speedup->estimate, 0.6);
    EXPECT_EQ(row.with_speedup, 2);
  }
  EXPECT_FALSE(ParseTime("host"));
}

TEST(Score, EachMeanSpeedupSaysOfHowManyItIs) {
  std::vector<Entry> entries = Some();
  entries[0].outcome.wall_speedup = 0.9;  // and entries[3] has none
  const Row row = Score(entries, {}).rows[0];
  EXPECT_EQ(row.with_speedup, 2);
  EXPECT_EQ(row.problems_with_speedup, 2);
  EXPECT_EQ(row.with_wall_speedup, 1);
  EXPECT_EQ(row.problems_with_wall_speedup, 1);
}

TEST(Score, SpeedupThatIsNoNumberIsNone) {
  for (const double speedup : {std::nan(""), HUGE_VAL, 0.0, -1.0}) {
    const Scores scores =
        Score({Of("m", "level1/1", Verdict::kCorrect, speedup)}, {});
    EXPECT_EQ(scores.rows[0].fast[0].estimate, 1);  // correct
    EXPECT_EQ(scores.rows[0].with_speedup, 0);
    EXPECT_FALSE(scores.rows[0].speedup);
  }
}

// All problems of a level, judged as the paper has it.
std::vector<Entry> WholeLevel(const std::string& level, int problems) {
  std::vector<Entry> entries;
  for (int i = 1; i <= problems; ++i) {
    entries.push_back(
        Of("m", level + "/" + std::to_string(i), Verdict::kIncorrect));
    entries.back().outcome.policy = "kernelbench";
  }
  return entries;
}

TEST(Score, SaysWhatKeepsItFromThePaper) {
  using Words = std::vector<std::string>;
  const auto unlike = [](const std::vector<Entry>& entries) {
    return Score(entries, {}).rows.at(0).unlike_paper;
  };
  std::vector<Entry> entries = WholeLevel("level3", 50);
  EXPECT_EQ(unlike(entries), Words{});
  entries[1].outcome.verdict.reset();
  entries[1].missing = Missing::kNotAsked;
  entries[1].outcome.policy.clear();
  entries[2].outcome.policy = "original";
  EXPECT_EQ(unlike(entries), Words{});
  entries[3].outcome.policy = "strict";
  entries[4].outcome.size = record::Size::kSmall;
  entries[5].outcome.precision = record::Precision::kBf16;
  EXPECT_EQ(unlike(entries), (Words{"bf16", "policy strict", "size small"}));
  EXPECT_EQ(unlike(WholeLevel("level1", 99)), Words{"99 of 100 of level1"});
  EXPECT_EQ(unlike(WholeLevel("v3/level1", 100)), Words{"v3/level1"});
}

TEST(Score, AnswerWithoutCodeIsASampleThatFailed) {
  std::vector<Entry> entries = Some();
  Entry unusable = Of("m", "level2/1", std::nullopt);
  unusable.outcome.unusable = record::GenerationStatus::kTruncated;
  entries.push_back(unusable);
  const Scores scores = Score(entries, {});
  const Row& row = scores.rows[0];
  EXPECT_EQ(row.samples, 5);
  EXPECT_DOUBLE_EQ(row.fast[0].estimate, 1.0 / 3);  // (1/2 + 0 + 1/2) / 3
  EXPECT_DOUBLE_EQ(row.compiled.estimate, 2.0 / 3);
  EXPECT_EQ(row.unusable.at(record::GenerationStatus::kTruncated), 1);
  EXPECT_EQ(scores.gaps.at("m").Open(), 0);
}

TEST(Score, CostsAreSummedOnceForAnAnswer) {
  std::vector<Entry> entries = Some();
  entries.pop_back();
  int64_t sample = 0;
  for (Entry& entry : entries) {
    entry.outcome.model = "tiny";
    entry.outcome.sample = sample++;
    entry.outcome.usd = 0.25;
  }
  entries.push_back(entries[0]);  // judged again
  Scores scores = Score(entries, {});
  EXPECT_DOUBLE_EQ(scores.rows[0].usd.value(), 1);
  EXPECT_DOUBLE_EQ(scores.rows[0].usd_per_correct.value(), 1.0 / 3);
  entries[1].outcome.usd.reset();
  scores = Score(entries, {});
  EXPECT_FALSE(scores.rows[0].usd);
  EXPECT_FALSE(scores.rows[0].usd_per_correct);
}

// As in a row of the leaderboard.
TEST(Score, CostsOfTwoRunsUnderOneNameAreAdded) {
  std::vector<Entry> entries{Of("m", "level1/1", Verdict::kCorrect, 2),
                             Of("m", "level1/1", Verdict::kCorrect, 2)};
  for (const size_t i : {0, 1}) {
    entries[i].asked_in = i == 0 ? "a" : "b";
    entries[i].outcome.model = "tiny";
    entries[i].outcome.sample = 0;
    entries[i].outcome.usd = 2;
    entries[i].seconds = i == 0 ? 10 : 20;
  }
  const Row row = Score(entries, {}).rows[0];
  EXPECT_DOUBLE_EQ(row.usd.value(), 4);
  EXPECT_DOUBLE_EQ(row.usd_per_correct.value(), 2);
  EXPECT_DOUBLE_EQ(row.seconds_to_correct.value->estimate, 15);
}

// In the original importing a file compiles it.
TEST(Score, WhatCannotBeLoadedHasNotCompiled) {
  const Scores scores = Score({Of("m", "level1/1", Verdict::kLoadError),
                               Of("m", "level1/1", Verdict::kRuntimeError)},
                              {});
  EXPECT_DOUBLE_EQ(scores.rows[0].compiled.estimate, 0.5);
}

TEST(Score, RooflineIsTheMeanOfCertifiedSamples) {
  std::vector<Entry> entries = Some();
  entries[0].roofline = 0.5;
  entries[2].roofline = 0.9;  // incorrect
  entries[3].roofline = 0.25;
  const Scores scores = Score(entries, {});
  EXPECT_DOUBLE_EQ(scores.rows[0].roofline.value->estimate, 0.375);
  EXPECT_EQ(scores.rows[0].roofline.problems, 2);
  EXPECT_EQ(scores.rows[0].above_roofline, 0);
  EXPECT_FALSE(scores.rows[1].roofline.value);
  entries[3].roofline = 2400;  // returned its input
  EXPECT_DOUBLE_EQ(Score(entries, {}).rows[0].roofline.value->estimate, 0.5);
  EXPECT_EQ(Score(entries, {}).rows[0].roofline.problems, 1);
  EXPECT_EQ(Score(entries, {}).rows[0].above_roofline, 1);
  EXPECT_EQ(Score(entries, {}).rows[0].by_data_sheet, 0);
  entries[0].by_data_sheet = entries[2].by_data_sheet = true;
  EXPECT_EQ(Score(entries, {}).rows[0].by_data_sheet, 1);
}

TEST(Score, GroupsByModel) {
  std::vector<Entry> entries = Some();
  entries[0].outcome.model = "a";
  ScoreOptions options;
  options.by = By::kModel;
  const Scores scores = Score(entries, options);
  ASSERT_EQ(scores.rows.size(), 3U);
  EXPECT_EQ(scores.rows[0].group, "");
  EXPECT_EQ(scores.rows[1].group, "a");
}

TEST(Score, GroupsByPrecision) {
  std::vector<Entry> entries = Some();
  entries[0].outcome.precision = record::Precision::kBf16;
  ScoreOptions options;
  options.by = By::kPrecision;
  const Scores scores = Score(entries, options);
  ASSERT_EQ(scores.rows.size(), 3U);
  EXPECT_EQ(scores.rows[0].group, "bf16");
  EXPECT_EQ(scores.rows[0].samples, 1);
  EXPECT_EQ(scores.rows[1].group, "fp32");
}

TEST(Score, GroupsByLevelTagAndProblem) {
  ScoreOptions options;
  options.by = By::kLevel;
  Scores scores = Score(Some(), options);
  ASSERT_EQ(scores.rows.size(), 3U);
  EXPECT_EQ(scores.rows[0].group, "level1");
  EXPECT_EQ(scores.rows[1].group, "level2");
  EXPECT_EQ(scores.rows[1].samples, 1);
  options.by = By::kTag;
  scores = Score(Some(), options);
  ASSERT_EQ(scores.rows.size(), 5U);
  EXPECT_EQ(scores.rows[0].group, "1");
  EXPECT_EQ(scores.rows[0].samples, 3);
  options.by = By::kProblem;
  EXPECT_EQ(Score(Some(), options).rows.size(), 4U);
}

// Run "m": level1/1 to /6 with a sample each, one of each kind of gap.
std::vector<Entry> WithGaps() {
  std::vector<Entry> entries{Of("m", "level1/1", Verdict::kCorrect, 2),
                             Of("m", "level1/2", std::nullopt),
                             Of("m", "level1/3", Verdict::kInfraError),
                             Of("m", "level1/4", std::nullopt),
                             Of("m", "level1/5", std::nullopt),
                             Of("m", "level1/6", std::nullopt)};
  entries[3].missing = Missing::kNoAnswer;
  entries[4].missing = Missing::kNotAsked;
  entries[5].missing = Missing::kNotJudged;
  return entries;
}

TEST(Score, GapsHaveFailedAndOursAreOpen) {
  const Scores scores = Score(WithGaps(), {});
  const Row& row = scores.rows[0];
  EXPECT_EQ(row.problems, 6);
  EXPECT_EQ(row.samples, 6);
  EXPECT_EQ(row.open, 3);
  EXPECT_DOUBLE_EQ(row.fast[0].estimate, 1.0 / 6);
  EXPECT_DOUBLE_EQ(row.fast_upper[0], 4.0 / 6);
  EXPECT_DOUBLE_EQ(row.fast[3].estimate, 1.0 / 6);
  EXPECT_DOUBLE_EQ(row.fast_upper[3], 4.0 / 6);
  EXPECT_DOUBLE_EQ(row.compiled.estimate, 2.0 / 6);  // one cannot run here
  EXPECT_DOUBLE_EQ(row.speedup_of_all.estimate, std::pow(2, 1.0 / 6));
  EXPECT_EQ(row.missing,
            (std::map<Missing, int64_t>{{Missing::kNoAnswer, 1},
                                        {Missing::kNotAsked, 1},
                                        {Missing::kNotJudged, 1}}));
  const Gaps& gaps = scores.gaps.at("m");
  EXPECT_EQ(gaps.asked, 6);
  EXPECT_EQ(gaps.not_run, 1);
  EXPECT_EQ(gaps.infra_errors, 1);
  EXPECT_EQ(gaps.no_answer, 1);
  EXPECT_EQ(gaps.not_asked, 1);
  EXPECT_EQ(gaps.not_judged, 1);
  EXPECT_EQ(gaps.Open(), 3);
  EXPECT_FALSE(gaps.over_budget);
}

TEST(Score, WhatWasNeverAskedCostsNothing) {
  std::vector<Entry> entries = WithGaps();
  for (size_t i : {0, 1, 2, 5}) {
    entries[i].outcome.usd = 0.5;
    entries[i].outcome.model = "tiny";
  }
  EXPECT_DOUBLE_EQ(Score(entries, {}).rows[0].usd.value(), 2);
  EXPECT_DOUBLE_EQ(Score(entries, {}).rows[0].usd_per_fast.value(), 2);
  entries[5].outcome.usd.reset();
  EXPECT_FALSE(Score(entries, {}).rows[0].usd);
}

TEST(Score, CorrectWithoutABaselineIsOpenForSpeedAlone) {
  std::vector<Entry> entries{Of("m", "level1/1", Verdict::kCorrect),
                             Of("m", "level1/2", Verdict::kIncorrect)};
  entries[0].without_baseline = true;
  entries[0].roofline = 0.5;  // which needs none
  entries[0].has_ceiling = entries[1].has_ceiling = true;
  const Row row = Score(entries, {}).rows[0];
  EXPECT_EQ(row.open, 0);
  EXPECT_EQ(row.speed_open, 1);
  EXPECT_DOUBLE_EQ(row.fast[0].estimate, 0.5);
  EXPECT_DOUBLE_EQ(row.fast_upper[0], 0.5);
  EXPECT_DOUBLE_EQ(row.fast[3].estimate, 0);
  EXPECT_DOUBLE_EQ(row.fast_upper[3], 0.5);
  EXPECT_DOUBLE_EQ(row.roofline.value->estimate, 0.5);
  EXPECT_FALSE(row.sol_score.value);
}

TEST(Score, BestOfKIsOfTheProblemsThatHaveKSamples) {
  ScoreOptions options;
  options.ks = {1, 2, 3};
  const Row row = Score(Some(), options).rows[0];
  ASSERT_EQ(row.of_k.size(), 3U);
  EXPECT_EQ(row.of_k[0].problems, 3);
  EXPECT_EQ(row.of_k[1].problems, 1);
  EXPECT_DOUBLE_EQ(row.of_k[1].pass->estimate, 1);
  EXPECT_DOUBLE_EQ(row.of_k[1].fast[5]->estimate, 0);  // p = 2
  EXPECT_DOUBLE_EQ(row.of_k[1].speedup->estimate, 2);
  EXPECT_EQ(row.of_k[2].problems, 0);
  EXPECT_FALSE(row.of_k[2].pass);
}

TEST(Score, FlaggedProblemsAreLeftOutAndCounted) {
  std::vector<Entry> entries = Some();
  entries.push_back(Of("m", "level1/8", Verdict::kCorrect, 100));
  entries.back().flagged = true;
  Scores scores = Score(entries, {});
  EXPECT_EQ(scores.rows[0].samples, 4);
  EXPECT_EQ(scores.flagged, 1);
  EXPECT_EQ(scores.flagged_problems, 1);
  ScoreOptions options;
  options.with_flagged = true;
  scores = Score(entries, options);
  EXPECT_EQ(scores.rows[0].samples, 5);
  EXPECT_EQ(scores.flagged, 0);
}

TEST(Score, SizesAreDifferentProblems) {
  std::vector<Entry> entries{Of("m", "level1/1", Verdict::kCorrect),
                             Of("m", "level1/1", Verdict::kCorrect)};
  entries[1].outcome.size = record::Size::kSmall;
  EXPECT_EQ(Score(entries, {}).rows[0].problems, 2);
}

TEST(Score, RunsArePaired) {
  const Scores scores = Score(Some(), {});
  ASSERT_EQ(scores.pairings.size(), 7U);  // one for each p
  EXPECT_EQ(scores.pairings[0].first, "m");
  EXPECT_EQ(scores.pairings[0].second, "n");
  EXPECT_EQ(scores.pairings[0].comparison.problems, 1);
  EXPECT_DOUBLE_EQ(scores.pairings[0].comparison.difference.estimate, 0.5);
}

TEST(ScoreTwice, OfAllProblemsAndOfSoundOnes) {
  std::vector<Entry> entries = Some();
  entries[2].flagged = true;  // level1/2
  const TwoScores scores = ScoreTwice(entries, {});
  EXPECT_EQ(scores.all.rows[0].problems, 3);
  EXPECT_EQ(scores.all.flagged, 0);
  EXPECT_EQ(scores.sound.rows[0].problems, 2);
  EXPECT_EQ(scores.sound.flagged, 1);
  EXPECT_EQ(scores.sound.rows[0].problems_with_speedup, 2);
}

TEST(MixedRuns, HoldSeveralModels) {
  std::vector<Entry> entries = Some();
  EXPECT_TRUE(MixedRuns(entries).empty());
  entries[0].outcome.model = "gpt";
  const auto mixed = MixedRuns(entries);
  ASSERT_EQ(mixed.size(), 1U);
  EXPECT_EQ(mixed.at("m"), (std::set<std::string>{"", "gpt"}));
}

}  // namespace
}  // namespace kb::analysis
