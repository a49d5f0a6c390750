#include "interop/dataset.h"

#include <gtest/gtest.h>

#include <cmath>

namespace kb::interop {
namespace {

using base::Json;
using record::Evaluation;

Evaluation Judged(const std::string& source) {
  Evaluation e;
  e.candidate.name = "answer.cu";
  e.candidate.source = source;
  e.problem_id = "level1/19";
  e.problem_hash = "abc";
  e.model = "m";
  e.sample = 2;
  e.verdict = record::Verdict::kCorrect;
  e.speedup = record::Interval{2, 1.5, 2.5};
  record::TimeSummary time;
  time.median = 10;
  time.count = 7;
  e.candidate_time = time;
  return e;
}

TEST(Dataset, ARowHasEveryColumnInOrder) {
  const Table table = ResultTable("r", {Judged("a")}, {});
  ASSERT_EQ(table.rows.size(), 1u);
  const Json& row = table.rows[0];
  ASSERT_EQ(row.size(), table.columns.size());
  size_t at = 0;
  for (const auto& [name, value] : row.items())
    EXPECT_EQ(name, table.columns[at++].first);
  EXPECT_EQ(row["schema"], "kernelbench/dataset_result/1");
  EXPECT_EQ(row["run"], "r");
  EXPECT_EQ(row["sample"], 2);
  EXPECT_EQ(row["turn"], 1);
  EXPECT_EQ(row["confirms"], 0);
  EXPECT_EQ(row["verdict"], "correct");
  EXPECT_EQ(row["speedup_low"], 1.5);
  EXPECT_EQ(row["candidate_us"], 10);
  EXPECT_EQ(row["timed_trials"], 7);
  EXPECT_TRUE(row["reference_us"].is_null());
  EXPECT_TRUE(row["answer"].is_null());
}

TEST(Dataset, WhatIsNotKnownOrNoNumberIsNull) {
  Evaluation e = Judged("a");
  e.verdict.reset();
  e.model.clear();
  e.sample = -1;
  e.speedup->estimate = std::nan("");
  const Json row = ResultTable("r", {e}, {}).rows.at(0);
  for (const char* column : {"verdict", "model", "sample", "speedup"})
    EXPECT_TRUE(row[column].is_null()) << column;
}

TEST(Dataset, AnswersWithoutACandidateAreResultsToo) {
  record::Generation complete, empty;
  complete.status = record::GenerationStatus::kComplete;
  empty.status = record::GenerationStatus::kNoCode;
  empty.problem_id = "level1/20";
  empty.sample = 3;
  empty.reason = "prose";
  const Table table = ResultTable("r", {Judged("a")}, {complete, empty});
  ASSERT_EQ(table.rows.size(), 2u);  // the complete one is the evaluation
  EXPECT_EQ(table.rows[1]["answer"], "no_code");
  EXPECT_EQ(table.rows[1]["problem"], "level1/20");
  EXPECT_EQ(table.rows[1]["reason"], "prose");
  EXPECT_TRUE(table.rows[1]["precision"].is_null());
}

TEST(Dataset, EachSourceIsThereOnce) {
  const Table table = CandidateTable({Judged("a"), Judged("b"), Judged("a")});
  ASSERT_EQ(table.rows.size(), 2u);
  EXPECT_EQ(table.rows[0]["source"], "a");
  EXPECT_EQ(table.rows[0]["candidate_hash"], Judged("a").candidate.Hash());
}

TEST(Dataset, AProblemThatNobodyKnowsHasNoSource) {
  record::Problem problem;
  problem.name = "ReLU";
  problem.flags = {{"collapses", "why"}};
  problem.source = "code";
  const Table table =
      ProblemTable({{"level1/19", "abc", record::Size::kSmall, &problem},
                    {"level1/20", "d", record::Size::kFull, nullptr}});
  EXPECT_EQ(table.rows[0]["flags"], Json::array({"collapses"}));
  EXPECT_EQ(table.rows[0]["source"], "code");
  EXPECT_EQ(table.rows[0]["size"], "small");
  EXPECT_TRUE(table.rows[1]["source"].is_null());
  EXPECT_EQ(table.AsJsonLines().find("{\"schema\":"), 0u);
}

}  // namespace
}  // namespace kb::interop
