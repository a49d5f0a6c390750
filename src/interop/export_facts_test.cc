#include "interop/export_facts.h"

#include <gtest/gtest.h>

namespace kb::interop {
namespace {

TEST(ExportFacts, SayWhatTheOriginalsFileCannot) {
  record::Evaluation evaluation;
  evaluation.problem_id = "level1/23";
  evaluation.problem_hash = "abc";
  evaluation.model = "m";
  evaluation.sample = 4;
  evaluation.size = record::Size::kSmall;
  evaluation.precision = record::Precision::kBf16;
  evaluation.verdict = record::Verdict::kTimeout;
  const auto facts =
      ParseExportFacts(base::DumpJson(ExportFactsOf({evaluation}, "level1")));
  ASSERT_TRUE(facts) << facts.error().message();
  EXPECT_EQ(facts->level, "level1");
  const auto& sample = facts->samples.at({23, 4});
  EXPECT_EQ(sample.problem_hash, "abc");
  EXPECT_EQ(sample.model, "m");
  EXPECT_EQ(sample.size, record::Size::kSmall);
  EXPECT_EQ(sample.precision, record::Precision::kBf16);
  EXPECT_EQ(sample.verdict, record::Verdict::kTimeout);
}

TEST(ExportFacts, KeepSpeedupsPoliciesAndWhatWasNotRun) {
  record::Evaluation fast;
  fast.problem_id = "level1/23";
  fast.sample = 0;
  fast.verdict = record::Verdict::kCorrect;
  fast.policy = *record::NamedPolicy("strict");
  fast.policy.name = "mine";
  fast.policy.own_share = 0.25;
  fast.speedup = record::Interval{2, 1.5, 2.5};
  record::Evaluation not_run;
  not_run.problem_id = "level1/23";
  not_run.sample = 1;
  not_run.policy = *record::NamedPolicy("strict");
  const auto facts = ParseExportFacts(
      base::DumpJson(ExportFactsOf({fast, not_run}, "level1")));
  ASSERT_TRUE(facts) << facts.error().message();
  const auto& first = facts->samples.at({23, 0});
  ASSERT_TRUE(first.speedup);
  EXPECT_EQ(first.speedup->estimate, 2);
  EXPECT_EQ(first.speedup->low, 1.5);
  EXPECT_EQ(first.speedup->high, 2.5);
  EXPECT_FALSE(first.wall_speedup);
  EXPECT_EQ(facts->policies.at(first.policy), fast.policy);
  EXPECT_FALSE(facts->samples.at({23, 1}).verdict);
  EXPECT_EQ(facts->policies.at("strict"), not_run.policy);
}

TEST(ExportFacts, OfWhatWasNotJudgedTakeNoOthersNumber) {
  record::Evaluation judged;
  judged.problem_id = "level1/23";
  judged.sample = 0;
  judged.verdict = record::Verdict::kCorrect;
  record::Evaluation elsewhere = judged;  // the same sample on another device
  elsewhere.verdict = record::Verdict::kInfraError;
  const auto facts = ParseExportFacts(
      base::DumpJson(ExportFactsOf({judged, elsewhere}, "level1")));
  ASSERT_TRUE(facts) << facts.error().message();
  EXPECT_EQ(facts->samples.at({23, 0}).verdict, record::Verdict::kCorrect);
  EXPECT_EQ(facts->samples.at({23, 1}).verdict, record::Verdict::kInfraError);
}

TEST(ExportFacts, OfTheFirstVersionHaveNoSpeedups) {
  const auto facts = ParseExportFacts(
      R"({"schema": "kernelbench/export/1", "version": "0.1.0",
          "level": "level1", "samples": [{"problem": 2, "sample": 0,
          "problem_hash": "abc", "model": "m", "size": "small",
          "precision": "fp32", "verdict": "correct"}]})");
  ASSERT_TRUE(facts) << facts.error().message();
  EXPECT_EQ(facts->samples.at({2, 0}).verdict, record::Verdict::kCorrect);
  EXPECT_FALSE(facts->samples.at({2, 0}).speedup);
  EXPECT_TRUE(facts->policies.empty());
}

TEST(ExportFacts, OfAnotherVersionAreNotGuessedAt) {
  const auto facts = ParseExportFacts(
      R"({"schema": "kernelbench/export/3", "level": "level1"})");
  ASSERT_FALSE(facts);
  EXPECT_NE(facts.error().message().find("export/2"), std::string::npos);
}

}  // namespace
}  // namespace kb::interop
