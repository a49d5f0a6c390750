#include "search_table.h"

#include <gtest/gtest.h>

#include <optional>

namespace kb::cli {
namespace {

record::Generation Answer(int64_t turn, std::optional<double> usd) {
  record::Generation answer;
  answer.turn = turn;
  answer.usd = usd;
  return answer;
}

record::Evaluation With(record::Verdict verdict, double speedup = 0) {
  record::Evaluation evaluation;
  evaluation.verdict = verdict;
  if (speedup > 0) evaluation.speedup = record::Interval{speedup, 0, 9};
  return evaluation;
}

TEST(SearchTable, SaysNothingBeforeSomethingHappens) {
  EXPECT_EQ(SearchTable({"a", "b"}).Text(8), "");
}

TEST(SearchTable, RowHasTurnsBestAndCost) {
  SearchTable table({"level1/19 sample 0", "b"});
  table.SetStep(0, "asking: 1,204 characters");
  EXPECT_EQ(table.Text(8),
            "level1/19 sample 0  turn   0  best -                  0.0000 USD  "
            "asking: 1,204 characters\nand 1 more search");
  table.Add(0, Answer(1, 0.25));
  table.Add(0, With(record::Verdict::kIncorrect));
  table.Add(0, Answer(2, 0.5));
  EXPECT_NE(table.Text(8).find("turn   2  best incorrect"), std::string::npos)
      << table.Text(8);
  table.Add(0, With(record::Verdict::kCorrect, 2));
  table.Add(0, With(record::Verdict::kCorrect, 1.5));
  table.Add(0, With(record::Verdict::kCompileError));
  EXPECT_NE(table.Text(8).find("best 2.00x"), std::string::npos);
  EXPECT_NE(table.Text(8).find("0.7500 USD"), std::string::npos);
}

TEST(SearchTable, JudgedAgainIsNoOtherBest) {
  SearchTable table({"a"});
  table.Add(0, With(record::Verdict::kCorrect, 2));
  record::Evaluation again = With(record::Verdict::kCorrect, 3);
  again.confirms = true;
  table.Add(0, again);
  EXPECT_NE(table.Text(8).find("best 2.00x"), std::string::npos);
}

TEST(SearchTable, ThoseAtWorkComeFirstAndThoseThatAreDoneLast) {
  SearchTable table({"a", "b", "c"});
  table.Add(0, Answer(4, 0));
  table.End(0);
  table.Add(1, Answer(1, 0));
  table.SetStep(2, "judging: compiling");
  const std::string text = table.Text(2);
  EXPECT_LT(text.find("c  turn"), text.find("b  turn"));
  EXPECT_EQ(text.find("a  turn"), std::string::npos);
  EXPECT_TRUE(text.ends_with("\nand 1 more search"));
  EXPECT_TRUE(table.Text(3).ends_with("USD  done"));
}

TEST(SearchTable, WhatIsKnownFindsItsRow) {
  SearchTable table({"level1/2 sample 3"});
  record::Generation answer = Answer(5, 1);
  answer.problem_id = "level1/2";
  answer.sample = 3;
  table.AddKnown(answer);
  record::Outcome outcome;
  outcome.problem_id = "level1/2";
  outcome.sample = 3;
  outcome.verdict = record::Verdict::kCorrect;
  outcome.speedup = 1.25;
  table.AddKnown(outcome);
  outcome.problem_id = "level9/9";
  outcome.speedup = 7;
  table.AddKnown(outcome);
  EXPECT_NE(table.Text(1).find("turn   5  best 1.25x"), std::string::npos)
      << table.Text(1);
}

}  // namespace
}  // namespace kb::cli
