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

TEST(ExportFacts, OfAnotherVersionAreNotGuessedAt) {
  const auto facts = ParseExportFacts(
      R"({"schema": "kernelbench/export/2", "level": "level1"})");
  ASSERT_FALSE(facts);
  EXPECT_NE(facts.error().message().find("export/1"), std::string::npos);
}

}  // namespace
}  // namespace kb::interop
