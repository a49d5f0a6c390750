#include "run_table.h"

#include <gtest/gtest.h>

#include <functional>

namespace kb::cli {
namespace {

using record::Evaluation;
using record::Generation;
using record::GenerationStatus;
using record::Verdict;

Generation Answer(GenerationStatus status, std::optional<double> usd,
                  const std::string& reason = "") {
  Generation generation;
  generation.answer = "text";
  generation.status = status;
  generation.usd = usd;
  generation.reason = reason;
  return generation;
}

Evaluation With(std::optional<Verdict> verdict) {
  Evaluation evaluation;
  evaluation.verdict = verdict;
  return evaluation;
}

record::Outcome OutcomeOf(std::optional<Verdict> verdict) {
  record::Outcome outcome;
  outcome.verdict = verdict;
  return outcome;
}

enum class Kind { kJudged, kAsked };

RunTable TableOf(Kind kind) {
  return RunTable("model", {"a", "b", "c"}, kind == Kind::kJudged);
}

// The lines that a table of three samples leaves.
std::string LinesOf(Kind kind, const std::function<void(RunTable&)>& tell) {
  testing::internal::CaptureStderr();
  {
    RunTable table = TableOf(kind);
    tell(table);
    table.Close();
  }
  return testing::internal::GetCapturedStderr();
}

// What it says at the end; its lines are of no interest.
std::string SummaryOf(Kind kind, const std::function<void(RunTable&)>& tell) {
  std::string summary;
  LinesOf(kind, [&](RunTable& table) {
    tell(table);
    summary = table.Summary();
  });
  return summary;
}

TEST(RunTable, SummaryOfNothingSaysSo) {
  EXPECT_EQ(SummaryOf(Kind::kJudged, [](RunTable&) {}),
            "0 answered, 0.0000 USD");
}

TEST(RunTable, SummaryOfAnAskedRunCountsAnswers) {
  EXPECT_EQ(
      SummaryOf(Kind::kAsked,
                [](RunTable& table) {
                  table.OnAnswer(0, Answer(GenerationStatus::kComplete, 0.01));
                  table.OnAnswer(1, Answer(GenerationStatus::kNoCode, 0.0032));
                }),
      "2 answered, 0.0132 USD: 1 complete, 1 no_code");
}

TEST(RunTable, SummaryOfAJudgedRunCountsVerdictsInPlaceOfCode) {
  EXPECT_EQ(SummaryOf(Kind::kJudged,
                      [](RunTable& table) {
                        for (const size_t index : {0U, 1U})
                          table.OnAnswer(
                              index, Answer(GenerationStatus::kComplete, 1));
                        table.OnAnswer(2,
                                       Answer(GenerationStatus::kTruncated, 1));
                        table.OnVerdict(0, With(Verdict::kIncorrect));
                        table.OnVerdict(1, With(std::nullopt));
                      }),
            "3 answered, 3.0000 USD: 1 incorrect, 1 not_run, 1 truncated");
}

TEST(RunTable, CostSaysHowManyAnswersHaveNoPrice) {
  EXPECT_EQ(
      SummaryOf(Kind::kJudged,
                [](RunTable& table) {
                  table.OnKnownAnswer(
                      Answer(GenerationStatus::kComplete, std::nullopt));
                  table.OnAnswer(1, Answer(GenerationStatus::kComplete, 0.25));
                  table.OnAnswer(
                      2, Answer(GenerationStatus::kComplete, std::nullopt));
                }),
      "3 answered, 0.2500 USD and the unknown cost of 2");
}

TEST(RunTable, WhatAProviderTurnedAwayCostsNothing) {
  Generation rejected = Answer(GenerationStatus::kRefused, std::nullopt);
  rejected.answer.clear();
  EXPECT_EQ(SummaryOf(Kind::kAsked,
                      [&](RunTable& table) { table.OnAnswer(0, rejected); }),
            "1 answered, 0.0000 USD: 1 refused");
}

TEST(RunTable, WhatIsKnownCountsAndIsNotShownAgain) {
  std::string summary;
  const std::string lines = LinesOf(Kind::kJudged, [&](RunTable& table) {
    table.OnKnownAnswer(Answer(GenerationStatus::kComplete, 0.5));
    table.OnKnownVerdict(OutcomeOf(Verdict::kCorrect));
    table.OnKnownAnswer(Answer(GenerationStatus::kNoCode, 0.5));
    summary = table.Summary();
  });
  EXPECT_EQ(lines, "");
  EXPECT_EQ(summary, "2 answered, 1.0000 USD: 1 correct, 1 no_code");
}

TEST(RunTable, LinesGoOnCountingWhereAnEarlierCallEnded) {
  const std::string lines = LinesOf(Kind::kJudged, [](RunTable& table) {
    table.OnKnownAnswer(Answer(GenerationStatus::kComplete, 0));
    table.OnKnownVerdict(OutcomeOf(Verdict::kCorrect));
    table.OnAnswer(1, Answer(GenerationStatus::kComplete, 0));
    table.OnVerdict(1, With(Verdict::kCompileError));
    table.OnAnswer(2, Answer(GenerationStatus::kTruncated, 0, "too long"));
  });
  EXPECT_EQ(lines,
            "[2/3] b: compile error\n"
            "[3/3] c: truncated (too long)\n");
}

TEST(RunTable, SampleOfSeveralTurnsEndsWhenItIsSaid) {
  testing::internal::CaptureStderr();
  std::string summary;
  {
    RunTable table("model", {"a", "b"}, true, true);
    table.OnSampleEnd(0, true);
    table.OnAnswer(1, Answer(GenerationStatus::kNoCode, 0.5));
    Evaluation second = With(Verdict::kCorrect);
    second.turn = 2;
    table.OnAnswer(1, Answer(GenerationStatus::kComplete, 0.5));
    table.OnVerdict(1, second);
    second.confirms = true;
    table.OnVerdict(1, second);
    table.OnSampleEnd(1, false);
    summary = table.Summary();
  }
  const std::string lines = testing::internal::GetCapturedStderr();
  EXPECT_NE(lines.find("[1/2] b turn 1: no_code"), std::string::npos) << lines;
  EXPECT_NE(lines.find("[1/2] b turn 2: correct"), std::string::npos) << lines;
  EXPECT_NE(lines.find("[1/2] b turn 2 again: correct"), std::string::npos)
      << lines;
  EXPECT_EQ(summary, "2 answered, 1.0000 USD: 1 correct, 1 no_code");
}

TEST(RunTable, AnswersHaveLinesWhereNobodyJudges) {
  const std::string lines = LinesOf(Kind::kAsked, [](RunTable& table) {
    table.OnKnownAnswer(Answer(GenerationStatus::kComplete, 0));
    table.OnAnswer(2, Answer(GenerationStatus::kComplete, 0));
  });
  EXPECT_EQ(lines, "[2/3] c: complete\n");
}

TEST(RunTable, StepsAreNoLinesWithoutATerminal) {
  EXPECT_EQ(LinesOf(Kind::kJudged,
                    [](RunTable& table) {
                      table.OnAsking(0, "waiting");
                      table.OnJudging(1, "compiling");
                    }),
            "");
}

TEST(RunTable, AnUnansweredSampleStaysOpen) {
  std::string summary;
  const std::string lines = LinesOf(Kind::kAsked, [&](RunTable& table) {
    table.OnAsking(1, "waiting");
    table.OnUnanswered(1, "no route to host");
    summary = table.Summary();
    table.OnAnswer(0, Answer(GenerationStatus::kComplete, 0));
  });
  EXPECT_EQ(lines,
            "b: no answer (no route to host)\n"
            "[1/3] a: complete\n");
  EXPECT_EQ(summary, "0 answered, 0.0000 USD");
}

TEST(RunTable, AModelsWordsCannotSteerTheTerminal) {
  const std::string lines = LinesOf(Kind::kAsked, [](RunTable& table) {
    table.OnAnswer(0, Answer(GenerationStatus::kFailed, 0, "\x1b[2Jgone\r"));
  });
  EXPECT_EQ(lines, "[1/3] a: failed ([2Jgone)\n");
}

}  // namespace
}  // namespace kb::cli
