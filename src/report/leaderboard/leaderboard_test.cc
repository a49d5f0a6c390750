#include "report/leaderboard.h"

#include <gtest/gtest.h>

#include "text_fixture.h"

namespace kb::report {
namespace {

using analysis::Entry;
using record::Verdict;

// A sample of a problem of its own; `speedup` 0: incorrect.
Entry Sample(const std::string& run, const std::string& model, int problem,
             double speedup) {
  Entry entry;
  entry.run = run;
  entry.outcome.id = problem + 1;
  entry.outcome.problem_id = "level1/" + std::to_string(problem);
  entry.outcome.model = model;
  entry.outcome.sample = 0;
  entry.outcome.policy = "kernelbench";
  entry.outcome.device_name = "H200";
  entry.outcome.torch = "2.15.0";
  entry.outcome.verdict = speedup > 0 ? Verdict::kCorrect : Verdict::kIncorrect;
  if (speedup > 0) entry.outcome.speedup = speedup;
  return entry;
}

// An answer without a candidate.
Entry WithoutCode(const std::string& run, const std::string& model,
                  int problem) {
  Entry empty = Sample(run, model, problem, 0);
  empty.outcome.id = 0;
  empty.outcome.verdict.reset();
  empty.outcome.unusable = record::GenerationStatus::kNoCode;
  empty.outcome.device_name.clear();
  empty.outcome.torch.clear();
  return empty;
}

analysis::RunReading Reading(const std::vector<Entry>& entries) {
  analysis::RunReading reading;
  reading.entries = entries;
  return reading;
}

std::string Isolated(const std::string& run, int64_t) {
  return run == "bare" ? "none" : "full";
}

Leaderboard Ranked(const std::vector<Entry>& entries) {
  CollectOptions options;
  options.scoring.with_flagged = true;
  return Rank(Reading(entries), Isolated, options);
}

TEST(Leaderboard, OneRowForAModelAndSettingAcrossRuns) {
  Entry half = Sample("c", "m", 3, 2);
  half.outcome.precision = record::Precision::kFp16;
  const Leaderboard board =
      Ranked({Sample("a", "m", 1, 2), Sample("b", "m", 2, 0), half});
  ASSERT_EQ(board.rows.size(), 2u);
  EXPECT_EQ(board.rows[0].setting, "full, fp16, kernelbench, H200");
  EXPECT_EQ(board.rows[1].setting, "full, fp32, kernelbench, H200");
  EXPECT_EQ(board.rows[1].runs, (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(board.book.scores.all.rows.size(), 2u);
}

TEST(Leaderboard, WhatHasNoAnswerCountsInTheSettingOfItsRun) {
  Entry missing = Sample("a", "m", 2, 2);
  missing.outcome.verdict.reset();
  missing.outcome.device_name.clear();
  missing.outcome.speedup.reset();
  missing.missing = analysis::Missing::kNoAnswer;
  const Leaderboard board = Ranked({Sample("a", "m", 1, 2), missing});
  ASSERT_EQ(board.rows.size(), 1u);
  EXPECT_EQ(board.book.scores.all.rows[0].problems, 2);
  EXPECT_EQ(board.rows[0].standing, Standing::kVerified);
}

TEST(Leaderboard, WhatWasAskedForInAnotherSettingHasARowOfItsOwn) {
  Entry other = WithoutCode("a", "m", 2);
  other.outcome.precision = record::Precision::kBf16;
  other.asked_on = {""};
  const Leaderboard board = Ranked({Sample("a", "m", 1, 2), other});
  ASSERT_EQ(board.rows.size(), 2u);
  EXPECT_EQ(board.book.scores.all.rows[0].problems, 1);
  EXPECT_EQ(board.book.scores.all.rows[1].problems, 1);
}

// As `analyze` and the report have it.
TEST(Leaderboard, WhatCannotRunOnTheDeviceCountsAsFailed) {
  Entry with_device = Sample("a", "m", 2, 2);
  with_device.outcome.verdict.reset();
  with_device.outcome.speedup.reset();
  Entry without = with_device;
  without.outcome.problem_id = "level1/3";
  without.outcome.torch.clear();
  without.outcome.device_name.clear();
  const std::vector<Entry> entries{Sample("a", "m", 1, 2), with_device,
                                   without};
  const Leaderboard board = Ranked(entries);
  ASSERT_EQ(board.rows.size(), 1u);
  const analysis::Row& row = board.book.scores.all.rows[0];
  EXPECT_EQ(row.problems, 3);
  EXPECT_EQ(row.not_run, 2);
  EXPECT_EQ(row.fast,
            analysis::ScoreTwice(entries, board.book.scoring).all.rows[0].fast);
  EXPECT_EQ(board.rows[0].standing, Standing::kVerified);
}

TEST(Leaderboard, OfAReplayTheFolderIsNamedWithoutItsPath) {
  EXPECT_EQ(Ranked({Sample("a", "replay:/a/path/answers", 1, 2)}).rows[0].model,
            "replay:answers");
}

TEST(Leaderboard, ReplaysOfFoldersCalledTheSameStayApart) {
  const Leaderboard board = Ranked({Sample("a", "replay:/one/answers", 1, 2),
                                    Sample("b", "replay:/two/answers", 1, 0)});
  ASSERT_EQ(board.rows.size(), 2u);
  ASSERT_EQ(board.book.scores.all.rows.size(), 2u);
  EXPECT_EQ(board.rows[0].runs, (std::vector<std::string>{"a"}));
  EXPECT_NE(board.book.runs[0].name, board.book.runs[1].name);
}

TEST(Leaderboard, BestIsFirstByFastOneThenByWhatIsCorrect) {
  const Leaderboard board =
      Ranked({Sample("a", "slow", 1, 0.5), Sample("a", "slow", 2, 0.5),
              Sample("b", "wrong", 1, 0), Sample("b", "wrong", 2, 0),
              Sample("c", "fast", 1, 3), Sample("c", "fast", 2, 0)});
  ASSERT_EQ(board.rows.size(), 3u);
  EXPECT_EQ(board.rows[0].model, "fast");
  EXPECT_EQ(board.rows[1].model, "slow");
  EXPECT_EQ(board.rows[2].model, "wrong");
}

TEST(Leaderboard, WhoIsAsGoodHasTheSamePlace) {
  const Leaderboard board =
      Ranked({Sample("a", "last", 1, 0), Sample("b", "one", 1, 2),
              Sample("c", "other", 1, 3), Sample("d", "slow", 1, 0.5)});
  std::vector<std::pair<std::string, int64_t>> places;
  for (const BoardRow& row : board.rows)
    places.emplace_back(row.model, row.place);
  EXPECT_EQ(places, (std::vector<std::pair<std::string, int64_t>>{
                        {"one", 1}, {"other", 1}, {"slow", 3}, {"last", 4}}));
}

TEST(Leaderboard, SaysWhatStandsBehindTheNumbers) {
  Entry imported = Sample("c", "claimed", 1, 9);
  imported.outcome.torch.clear();
  const Leaderboard board =
      Ranked({Sample("a", "good", 1, 2), Sample("bare", "bare", 1, 1.5),
              imported, Sample("c", "claimed", 2, 9)});
  ASSERT_EQ(board.rows.size(), 3u);
  // As good as each other: by name.
  EXPECT_EQ(board.rows[0].standing, Standing::kUnisolated);
  EXPECT_EQ(board.rows[1].standing, Standing::kClaimed);
  EXPECT_EQ(board.rows[1].claimed, 1);
  EXPECT_EQ(board.rows[2].standing, Standing::kVerified);
}

TEST(Leaderboard, OneSampleWithoutASandboxIsEnough) {
  const Leaderboard board =
      Ranked({Sample("a", "m", 1, 2), Sample("bare", "m", 2, 2)});
  ASSERT_EQ(board.rows.size(), 1u);
  EXPECT_EQ(board.rows[0].standing, Standing::kUnisolated);
}

TEST(Leaderboard, RunsOfOneModelAddUpWhatTheyCost) {
  Entry first = Sample("a", "m", 1, 2), second = Sample("b", "m", 1, 3);
  first.outcome.usd = second.outcome.usd = 2;
  const Leaderboard board = Ranked({first, second});
  ASSERT_EQ(board.rows.size(), 1u);
  const analysis::Row& row = board.book.scores.all.rows.at(0);
  EXPECT_DOUBLE_EQ(row.usd.value(), 4);
  EXPECT_DOUBLE_EQ(row.usd_per_correct.value(), 2);
}

TEST(Leaderboard, WhatHasNoAnswerCountsAtItsPrecision) {
  const auto at = [](Entry entry, record::Precision precision) {
    entry.outcome.precision = precision;
    return entry;
  };
  const Entry empty = WithoutCode("a", "m", 3);
  const Leaderboard board =
      Ranked({Sample("a", "m", 1, 2),
              at(Sample("a", "m", 2, 2), record::Precision::kBf16),
              at(empty, record::Precision::kBf16),
              at(empty, record::Precision::kFp16)});
  ASSERT_EQ(board.rows.size(), 2u);
  const auto samples = [&](const std::string& setting) {
    for (size_t i = 0; i < 2; ++i)
      if (board.rows[i].setting == setting)
        for (const analysis::Row& row : board.book.scores.all.rows)
          if (row.run == board.book.runs[i].name) return row.samples;
    return int64_t{-1};
  };
  // Of fp16, for which there is no row, it counts in both.
  EXPECT_EQ(samples("full, fp32, kernelbench, H200"), 2);
  EXPECT_EQ(samples("full, bf16, kernelbench, H200"), 3);
}

TEST(Leaderboard, AnswersWithoutACandidateCount) {
  const Entry empty = WithoutCode("a", "m", 2);
  const Leaderboard board = Ranked({Sample("a", "m", 1, 2), empty});
  ASSERT_EQ(board.rows.size(), 1u);
  EXPECT_EQ(board.book.scores.all.rows.at(0).samples, 2);
}

TEST(Leaderboard, ResultsThatAnImportMissesStayWithTheirRun) {
  Entry imported = Sample("a", "", 1, 2);
  imported.outcome.torch.clear();
  Entry missing = Sample("a", "", 2, 0);
  missing.outcome.torch.clear();
  missing.outcome.device_name.clear();
  missing.outcome.verdict = Verdict::kCompileError;
  const Leaderboard board = Ranked({imported, missing});
  ASSERT_EQ(board.rows.size(), 1u);
  EXPECT_EQ(board.rows[0].claimed, 2);
  EXPECT_EQ(board.book.scores.all.rows.at(0).problems, 2);
}

TEST(Leaderboard, ModelWithoutACandidateHasARow) {
  const Entry empty = WithoutCode("b", "bad", 1);
  Entry missing = empty;
  missing.outcome.problem_id = "level1/2";
  missing.outcome.unusable.reset();
  missing.missing = analysis::Missing::kNoAnswer;
  const Leaderboard board = Ranked({Sample("a", "m", 1, 2), empty, missing});
  ASSERT_EQ(board.rows.size(), 2u);
  EXPECT_EQ(board.rows[1].model, "bad");
  EXPECT_EQ(board.rows[1].standing, Standing::kUnjudged);
  const analysis::Row& row = board.book.scores.all.rows.at(0);
  EXPECT_EQ(row.samples, 2);
  EXPECT_EQ(row.fast[0].estimate, 0);
}

TEST(Leaderboard, FailuresOfAnotherRunCountInTheModelsRow) {
  const Entry empty = WithoutCode("b", "m", 2);
  const Leaderboard board = Ranked({Sample("a", "m", 1, 2), empty});
  ASSERT_EQ(board.rows.size(), 1u);
  EXPECT_EQ(board.rows[0].runs, (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(board.rows[0].standing, Standing::kVerified);
  EXPECT_EQ(board.book.scores.all.rows.at(0).samples, 2);
}

// What is rejected for its text alone meets neither PyTorch nor a device.
TEST(Leaderboard, RejectedTextIsJudgedHere) {
  const auto rejected = [](const char* run) {
    Entry entry = Sample(run, "m", 2, 0);
    entry.outcome.verdict = Verdict::kRejected;
    entry.outcome.device_name.clear();
    entry.outcome.torch.clear();
    return entry;
  };
  const auto judged = [](const char* run) {
    Entry entry = Sample(run, "m", 1, 2);
    entry.outcome.wall_seconds = 1.5;
    return entry;
  };
  const Leaderboard board =
      Ranked({judged("a"), rejected("a"), judged("copy"), rejected("copy")});
  ASSERT_EQ(board.rows.size(), 1u);
  EXPECT_EQ(board.rows[0].standing, Standing::kVerified);
  EXPECT_EQ(board.book.scores.all.rows.at(0).samples, 2);
  EXPECT_EQ(board.contained.size(), 1u);
}

TEST(Leaderboard, ResultsThatWereMergedCountOnce) {
  const auto judged = [](const char* run, int problem, double seconds) {
    Entry entry = Sample(run, "m", problem, 2);
    entry.outcome.wall_seconds = seconds;
    return entry;
  };
  const Leaderboard board =
      Ranked({judged("a", 1, 1.5), judged("b", 2, 2.5), judged("both", 1, 1.5),
              judged("both", 2, 2.5), judged("again", 1, 1.75)});
  ASSERT_EQ(board.rows.size(), 1u);
  EXPECT_EQ(board.rows[0].runs, (std::vector<std::string>{"again", "both"}));
  EXPECT_EQ(board.book.scores.all.rows.at(0).samples, 3);
  ASSERT_EQ(board.contained.size(), 2u);
  EXPECT_EQ(board.contained[0].second, "both");
  // Nothing tells two of these apart.
  EXPECT_TRUE(
      Ranked({Sample("a", "", 1, 2), Sample("b", "", 1, 2)}).contained.empty());
}

TEST(LeaderboardPage, LeadsWithTheFirstAndListsAll) {
  const std::string page = RenderLeaderboard(
      Ranked({Sample("a", "good", 1, 2), Sample("bare", "<b>bare", 1, 0.9)}));
  EXPECT_TRUE(Has(page, "good leads: fast_1 1.000 of 1 problem, verified."));
  EXPECT_EQ(TimesIn(page, "<tr role=\"row\" data-verdict"), 2u);
  EXPECT_TRUE(Has(page, "&lt;b&gt;bare"));
  EXPECT_FALSE(Has(page, "comparable with the paper"));
  EXPECT_TRUE(Has(page, "<span class=\"badge bad\">no sandbox</span>"));
  for (const char* part : {"http://", "https://", "src=", "url(", "<link"})
    EXPECT_FALSE(Has(page, part)) << part;
}

TEST(LeaderboardPage, SaysWhatAnOpenSampleMayYetGive) {
  Entry open = Sample("a", "m", 2, 0);
  open.outcome.verdict.reset();
  open.missing = analysis::Missing::kNotJudged;
  EXPECT_TRUE(Has(RenderLeaderboard(Ranked({Sample("a", "m", 1, 2), open})),
                  "up to 1.000"));
  EXPECT_FALSE(
      Has(RenderLeaderboard(Ranked({Sample("a", "m", 1, 2)})), "up to 1"));
}

TEST(LeaderboardPage, OfNothingSaysSo) {
  const std::string page = RenderLeaderboard(Ranked({}));
  EXPECT_TRUE(Has(page, "No sample of these runs was judged."));
  EXPECT_FALSE(Has(page, "<table"));
}

}  // namespace
}  // namespace kb::report
