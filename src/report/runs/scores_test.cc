#include "report/scores.h"

#include <gtest/gtest.h>

#include <string>

#include "base/json.h"
#include "base/text.h"
#include "text_fixture.h"

namespace kb::report {
namespace {

using analysis::Row;
using base::Json;
using record::Verdict;

const analysis::ScoreOptions kOptions{.ps = {0, 1.5}, .ks = {1, 5}};

// Of so many problems, half of them correct, nothing timed.
Row RowWith(const std::string& run, int64_t problems) {
  Row row;
  row.run = run;
  row.problems = row.samples = problems;
  row.compiled = {1, 1, 1};
  row.fast = {{0.5, 0.25, 0.75}, {0, 0, 0}};
  row.pass = {stats::Interval{0.5, 0.25, 0.75}, std::nullopt};
  row.best = {std::nullopt, std::nullopt};
  row.verdicts = {{Verdict::kCorrect, problems / 2},
                  {Verdict::kNotCertified, problems - problems / 2}};
  return row;
}

analysis::TwoScores ScoresOf(const Row& row) {
  analysis::TwoScores scores;
  scores.all.rows = {row};
  return scores;
}

std::string TextOf(const analysis::TwoScores& scores) {
  return ScoresText(scores, kOptions, {});
}

Json JsonOf(const analysis::TwoScores& scores) {
  return base::ParseJson(ScoresJson(scores, kOptions, {}), "scores").value();
}

TEST(ScoresText, OfNothingSaysWhatToDo) {
  const std::string text = TextOf({});
  EXPECT_TRUE(Has(text, "no sample to score; kernelbench run"));
  EXPECT_FALSE(Has(text, "Intervals:"));
}

TEST(ScoresText, IntervalsNeedTenProblems) {
  EXPECT_TRUE(Has(TextOf(ScoresOf(RowWith("small", 10))),
                  "fast_0 (correct)       0.500 [0.250, 0.750]\n"));
  const std::string few = TextOf(ScoresOf(RowWith("small", 9)));
  EXPECT_TRUE(Has(few, "fast_0 (correct)       0.500\n"));
  EXPECT_FALSE(Has(few, "[0.250"));
}

TEST(ScoresText, MissingValuesAreDashesAndUnknownPricesNothing) {
  Row row = RowWith("small", 10);
  const std::string missing = TextOf(ScoresOf(row));
  EXPECT_TRUE(Has(missing, "  pass@5                 -\n"));
  EXPECT_TRUE(Has(missing, "  speedup of 0 correct   -\n"));
  for (const char* name : {"cost", "roofline", "by wall time"})
    EXPECT_FALSE(Has(missing, name)) << name;
  row.usd = 1.23456;
  EXPECT_TRUE(Has(TextOf(ScoresOf(row)), "cost                   1.235 USD\n"));
}

TEST(ScoresText, SoundProblemsAreTheSameOrNone) {
  analysis::TwoScores scores = ScoresOf(RowWith("small", 10));
  EXPECT_TRUE(
      Has(TextOf(scores), "sound problems (no known weakness): none\n"));
  scores.sound = scores.all;
  EXPECT_TRUE(
      Has(TextOf(scores), "sound problems (no known weakness): the same\n"));
  scores.sound.rows[0].samples = 8;
  EXPECT_TRUE(Has(TextOf(scores), "10 problems, 8 samples\n"));
}

TEST(ScoresText, SaysWhatIsNotCounted) {
  analysis::TwoScores scores = ScoresOf(RowWith("small", 10));
  EXPECT_FALSE(Has(TextOf(scores), "not counted"));
  scores.all.not_run = 1;
  scores.all.infra_errors = 1200;
  const std::string text = ScoresText(
      scores, kOptions, {.baseline = "compile", .without_baseline = 2});
  EXPECT_TRUE(
      Has(text, "not counted: 1 sample that cannot run on the device\n"));
  EXPECT_TRUE(Has(text, "1,200 samples that our own failure left unjudged\n"));
  EXPECT_TRUE(Has(text, "2 samples without a time of the baseline\n"));
  EXPECT_TRUE(Has(text, "over PyTorch compile"));
}

TEST(ScoresText, RunsWithoutACommonProblemAreNamedOnce) {
  analysis::TwoScores scores = ScoresOf(RowWith("small", 10));
  analysis::Pairing pairing{"small", "large", 1, {}};
  scores.all.pairings = {pairing, pairing};
  const std::string text = TextOf(scores);
  const size_t at = text.find("small against large: no problem in common");
  ASSERT_NE(at, std::string::npos);
  EXPECT_EQ(text.find("small against large", at + 1), std::string::npos);
}

TEST(ScoresJson, MissingValuesAreNull) {
  const Json json = JsonOf(ScoresOf(RowWith("small", 10)));
  const Json& row = json["rows"][0];
  EXPECT_EQ(row["best_of_k"][1]["pass"], nullptr);
  for (const char* name : {"usd", "usd_per_correct", "share_of_roofline",
                           "geometric_mean_speedup_of_correct",
                           "geometric_mean_wall_speedup_of_correct"})
    EXPECT_TRUE(row.contains(name) && row[name].is_null()) << name;
}

TEST(ScoresJson, OfFewProblemsTheEstimateStaysAndTheIntervalGoes) {
  const auto compiled = [](int64_t problems) {
    return JsonOf(ScoresOf(RowWith("s", problems)))["rows"][0]["compiled"];
  };
  EXPECT_EQ(compiled(9),
            Json({{"estimate", 1.0}, {"low", nullptr}, {"high", nullptr}}));
  EXPECT_EQ(compiled(10),
            Json({{"estimate", 1.0}, {"low", 1.0}, {"high", 1.0}}));
}

// Speedups have an interval of their own: only some problems have one.
TEST(ScoresJson, IntervalOfSpeedupsCountsProblemsWithSpeedup) {
  Row row = RowWith("small", 100);
  row.speedup = {2, 1.5, 2.5};
  row.problems_with_speedup = 9;
  const Json json = JsonOf(ScoresOf(row));
  const Json& speedup = json["rows"][0]["geometric_mean_speedup_of_correct"];
  EXPECT_EQ(speedup["estimate"], 2.0);
  EXPECT_EQ(speedup["low"], nullptr);
}

TEST(ScoresJson, HasBothScopesInOrder) {
  analysis::TwoScores scores = ScoresOf(RowWith("small", 10));
  scores.sound.rows = {RowWith("small", 8)};
  const Json json = JsonOf(scores);
  ASSERT_EQ(json["rows"].size(), 2U);
  EXPECT_EQ(json["rows"][0]["scope"], "all");
  EXPECT_EQ(json["rows"][1]["scope"], "sound");
  EXPECT_EQ(json["rows"][1]["problems"], 8);
  EXPECT_EQ(json["rows"][0]["verdicts"],
            Json({{"correct", 5}, {"not_certified", 5}}));
}

TEST(ScoresCsv, OfNothingIsItsHead) {
  EXPECT_EQ(ScoresCsv({}, kOptions),
            "run,group,scope,problems,samples,metric,estimate,low,high\n");
}

TEST(ScoresCsv, MissingValuesHaveNoLine) {
  EXPECT_EQ(ScoresCsv(ScoresOf(RowWith("small", 10)), kOptions),
            "run,group,scope,problems,samples,metric,estimate,low,high\n"
            "small,,all,10,10,fast_0,0.5,0.25,0.75\n"
            "small,,all,10,10,fast_1.5,0,0,0\n"
            "small,,all,10,10,pass@1,0.5,0.25,0.75\n"
            "small,,all,10,10,compiled,1,1,1\n");
}

TEST(ScoresCsv, EveryLineHasNineFieldsAlsoOfFewProblems) {
  Row row = RowWith("small", 9);
  row.speedup = row.wall_speedup = row.roofline = {2, 1, 3};
  row.usd = row.usd_per_correct = 0.5;
  const std::string csv = ScoresCsv(ScoresOf(row), kOptions);
  for (const std::string& line : base::Split(base::Trim(csv), '\n'))
    EXPECT_EQ(base::Split(line, ',').size(), 9U) << line;
  EXPECT_TRUE(Has(csv, ",fast_0,0.5,,\n"));
}

// RFC 4180, section 2, rules 5 to 7.
TEST(ScoresCsv, NamesAreQuotedWhereTheyMustBe) {
  Row row = RowWith("a,b", 10);
  row.group = "say \"x\"\nb";
  const std::string csv = ScoresCsv(ScoresOf(row), kOptions);
  EXPECT_TRUE(Has(csv, "\n\"a,b\",\"say \"\"x\"\"\nb\",all,10,")) << csv;
}

}  // namespace
}  // namespace kb::report
