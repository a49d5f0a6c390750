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
  row.fast_upper = {0.5, 0};
  row.of_k = {{1,
               problems,
               stats::Interval{0.5, 0.25, 0.75},
               0.5,
               {row.fast[0], row.fast[1]},
               {0.5, 0},
               {}},
              {5, 0, {}, 0, {{}, {}}, {0, 0}, {}}};
  row.speedup_of_all = {1, 1, 1};
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

TEST(ScoresText, HowEachRunWasMeasuredIsSaid) {
  ScoreRemarks remarks;
  remarks.measured["a"] = {{record::Precision::kFp32}, true, false, 0.6, 3};
  const std::string text =
      ScoresText(ScoresOf(RowWith("a", 10)), kOptions, remarks);
  EXPECT_NE(text.find("a: times of fp32, cold caches, the oracle's clock; the "
                      "first call of each, for loading, compiling and tuning, "
                      "is no part of them: 0.6 s in the middle, 3 s at most\n"),
            std::string::npos)
      << text;
  const auto json = base::ParseJson(
      ScoresJson(ScoresOf(RowWith("a", 10)), kOptions, remarks), "scores");
  ASSERT_TRUE(json);
  EXPECT_EQ(json->at("measured").at(0).at("first_call_max_s"), 3.0);
}

TEST(ScoresText, TurnsHaveARowEachAndOptimismIsSaid) {
  ScoreRemarks remarks;
  remarks.turns = {{"a", 1, {0.25, 0}, 1000, 0.5, 1.5},
                   {"a", 2, {0.5, 0.25}, 2500, std::nullopt, 3}};
  remarks.optimism = {{"a", 4, 1, 2, 2.0, 1.6}};
  const std::string text =
      ScoresText(ScoresOf(RowWith("a", 4)), kOptions, remarks);
  EXPECT_TRUE(Has(text,
                  "a, best so far after each turn, as it was judged when it "
                  "was chosen\n"
                  "  turn    fast_0  fast_1.5        tokens       USD   "
                  "minutes\n"
                  "     1     0.250     0.000          1000       0.5       "
                  "1.5\n"
                  "     2     0.500     0.250          2500   unknown       "
                  "3.0\n"))
      << text;
  EXPECT_TRUE(Has(text,
                  "a: the best turns of 4 samples were judged once more; not "
                  "correct any more: 1; speedup 1.600, where they were "
                  "chosen by 2.000 (+25.0 % optimism)\n"))
      << text;
  const Json json =
      base::ParseJson(ScoresJson(ScoresOf(RowWith("a", 4)), kOptions, remarks),
                      "scores")
          .value();
  EXPECT_EQ(json["turns"][1]["fast_p"][1]["value"], 0.25);
  EXPECT_TRUE(json["turns"][1]["usd"].is_null());
  EXPECT_EQ(json["judged_again"][0]["chosen_by_speedup"], 2.0);
}

TEST(ScoresText, ComparesWithThePaperOnlyWhatIsLikeIt) {
  Row row = RowWith("a", 10);
  EXPECT_TRUE(Has(TextOf(ScoresOf(row)),
                  "a, all problems (comparable with the paper): 10 problems"));
  row.unlike_paper = {"size small", "10 of 100 of level1"};
  EXPECT_TRUE(Has(TextOf(ScoresOf(row)),
                  "a, all problems (unlike the paper's: size small, 10 of 100 "
                  "of level1): 10 problems"));
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
  EXPECT_TRUE(Has(missing,
                  "  pass@5                 - of the 0 problems with 5 "
                  "samples\n"));
  EXPECT_TRUE(Has(missing, "  speedup of 0 correct   -\n"));
  for (const char* name :
       {"cost", "roofline", "by wall time", "SOL", "to the first"})
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

TEST(ScoresText, GapsThatAreNotOursAreSaidLast) {
  analysis::TwoScores scores = ScoresOf(RowWith("small", 10));
  EXPECT_FALSE(Has(TextOf(scores), "counted as failed"));
  scores.all.gaps["small"] = {.asked = 1400, .no_answer = 1, .not_run = 1200};
  const std::string text = ScoresText(
      scores, kOptions, {.baseline = "compile", .without_baseline = 2});
  EXPECT_TRUE(text.starts_with("small, all problems"));
  EXPECT_TRUE(
      Has(text, "small: 1 sample without an answer, counted as failed\n"));
  EXPECT_TRUE(Has(text,
                  "small: 1,200 samples that cannot run on the device, counted "
                  "as failed\n"));
  EXPECT_TRUE(Has(text,
                  "2 samples without a time of the baseline: correct, not "
                  "counted as fast\n"));
  EXPECT_TRUE(Has(text, "over PyTorch compile"));
}

TEST(ScoresText, WhatIsNotCompleteIsSaidFirstWithBounds) {
  Row row = RowWith("small", 10);
  row.open = 3;
  row.fast_upper = {0.8, 0.3};
  row.of_k[0].k = 2;
  row.of_k[0].problems = 7;
  row.of_k[0].pass_upper = 0.9;
  analysis::TwoScores scores = ScoresOf(row);
  scores.all.gaps["small"] = {
      .asked = 10, .not_asked = 2, .over_budget = true, .infra_errors = 1};
  const std::string text = TextOf(scores);
  EXPECT_TRUE(text.starts_with(
      "small: stopped at its budget: 2 of 10 samples not asked, 1 of 10 "
      "samples left unjudged by our own failure. They count as failed;"))
      << text;
  EXPECT_TRUE(
      Has(text, "fast_0 (correct)       0.500 [0.250, 0.750], up to 0.800\n"));
  EXPECT_TRUE(Has(text,
                  "pass@2                 0.500, up to 0.900 of the 7 problems "
                  "with 2 samples\n"));
  scores.all.gaps["small"] = {.asked = 10, .not_judged = 4};
  EXPECT_TRUE(TextOf(scores).starts_with(
      "small: incomplete: 4 of 10 samples answered and not judged yet."));
}

TEST(ScoresText, CorrectOnesWithoutABaselineBoundTheFastOnes) {
  Row row = RowWith("small", 10);
  row.speed_open = 1;
  row.fast_upper = {0.5, 0.1};
  const std::string text = TextOf(ScoresOf(row));
  EXPECT_TRUE(Has(text, "fast_0 (correct)       0.500 [0.250, 0.750]\n"));
  EXPECT_TRUE(
      Has(text, "fast_1.5               0.000 [0.000, 0.000], up to 0.100\n"));
}

TEST(ScoresText, FiguresOfSomeProblemsSayOfHowMany) {
  Row row = RowWith("small", 20);
  row.roofline = {2, stats::Interval{0.25, 0.2, 0.3}};
  row.sol_score = {8, stats::Interval{0.625, 0.5, 0.75}};
  row.seconds_to_correct = {3, stats::Interval{12.34, 1, 2}};
  row.speedup_of_faster = {12, stats::Interval{1.5, 1.25, 2}};
  row.usd = 3;
  row.usd_per_correct = 0.3;
  row.usd_per_fast = 1.5;
  const std::string text = TextOf(ScoresOf(row));
  for (const char* line :
       {"  of roofline            0.250 of 2 problems\n",
        "  SOL score              0.625 of 8 problems\n",
        "  to the first correct   12.3 s of answers, mean of 3 problems\n",
        "  speedup of faster      1.500 [1.250, 2.000] of 12 problems\n",
        "  speedup of all, or 1   1.000 [1.000, 1.000]\n",
        ("  cost                   3 USD, 0.3 for a correct kernel, 1.5 for "
         "one that is faster\n")})
    EXPECT_TRUE(Has(text, line)) << line << text;
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

TEST(ScoresJson, IntervalOfTheRooflineCountsProblemsWithAShare) {
  Row row = RowWith("small", 100);
  row.problems_with_speedup = 50;
  row.roofline = {2, stats::Interval{0.5, 0.25, 0.75}};
  EXPECT_EQ(JsonOf(ScoresOf(row))["rows"][0]["share_of_roofline"],
            Json({{"estimate", 0.5}, {"low", nullptr}, {"high", nullptr}}));
  EXPECT_TRUE(Has(ScoresCsv(ScoresOf(row), kOptions),
                  "small,,all,2,100,share_of_roofline,0.5,,,\n"));
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
            "run,group,scope,problems,samples,metric,estimate,low,high,"
            "upper\n");
}

TEST(ScoresCsv, MissingValuesHaveNoLine) {
  EXPECT_EQ(ScoresCsv(ScoresOf(RowWith("small", 10)), kOptions),
            "run,group,scope,problems,samples,metric,estimate,low,high,"
            "upper\n"
            "small,,all,10,10,fast_0,0.5,0.25,0.75,0.5\n"
            "small,,all,10,10,fast_1.5,0,0,0,0\n"
            "small,,all,10,10,pass@1,0.5,0.25,0.75,0.5\n"
            "small,,all,10,10,fast_0@1,0.5,0.25,0.75,0.5\n"
            "small,,all,10,10,fast_1.5@1,0,0,0,0\n"
            "small,,all,10,10,compiled,1,1,1,\n"
            "small,,all,10,10,geometric_mean_speedup_of_all_or_1,1,1,1,\n");
}

TEST(ScoresCsv, EveryLineHasTenFieldsAlsoOfFewProblems) {
  Row row = RowWith("small", 9);
  row.speedup = row.wall_speedup = row.roofline.value = {2, 1, 3};
  row.usd = row.usd_per_correct = 0.5;
  const std::string csv = ScoresCsv(ScoresOf(row), kOptions);
  for (const std::string& line : base::Split(base::Trim(csv), '\n'))
    EXPECT_EQ(base::Split(line, ',').size(), 10U) << line;
  EXPECT_TRUE(Has(csv, ",fast_0,0.5,,,0.5\n"));
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
