#include "prompt/feedback.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "excerpt.h"

namespace kb::prompt {
namespace {

using record::Evaluation;
using record::Generation;
using record::GenerationStatus;
using record::Verdict;

FeedbackWriter WriterOf(const std::string& layers) {
  FeedbackOptions options;
  options.folder = KB_SOURCE_DIR "/share/prompts";
  options.backend = "cpp";
  options.layers = *ParseLayers(layers);
  auto writer = FeedbackWriter::Create(options);
  EXPECT_TRUE(writer) << writer.error().message();
  return std::move(*writer);
}

Generation Answer() {
  Generation answer;
  answer.turn = 3;
  answer.status = GenerationStatus::kComplete;
  answer.candidate_name = "sample_0_turn_3.cpp";
  answer.source = "int a;\nint b\nint c;\n";
  return answer;
}

Evaluation With(Verdict verdict) {
  Evaluation evaluation;
  evaluation.verdict = verdict;
  evaluation.reason = "the reason";
  return evaluation;
}

constexpr const char* kClosing =
    "\nAnswer with one fenced block, marked cpp, that holds the complete "
    "answer.cpp.";

TEST(Feedback, CompilerErrorStandsWithItsLines) {
  Evaluation evaluation = With(Verdict::kCompileError);
  evaluation.log =
      "sample_0_turn_3.cpp:3:1: error: expected initializer before 'int'\n";
  EXPECT_EQ(WriterOf("all").Write(Answer(), &evaluation),
            "Your program does not compile.\n\n"
            "sample_0_turn_3.cpp:3:1: error: expected initializer before "
            "'int'\n"
            "     1 | int a;\n"
            "     2 | int b\n"
            ">    3 | int c;\n"
            "     4 | \n\n\nCorrect it." +
                std::string(kClosing));
  EXPECT_EQ(
      WriterOf("none").Write(Answer(), &evaluation),
      "Your program does not compile.\n\nCorrect it." + std::string(kClosing));
}

Evaluation Incorrect() {
  Evaluation evaluation = With(Verdict::kIncorrect);
  record::Mismatch mismatch;
  mismatch.elements = 100;
  mismatch.wrong = 4;
  mismatch.pattern = "last tile of dimension 0";
  mismatch.max_abs_error = 2.5;
  mismatch.max_rel_error = 1;
  mismatch.first = {{96}, 2.5, 0};
  mismatch.worst = {{97}, -1.5, 0};
  mismatch.seed = 987654321;
  evaluation.mismatch = mismatch;
  evaluation.tolerance = {1e-4, 1e-4};
  evaluation.trials.emplace_back().seed = 987654321;
  return evaluation;
}

TEST(Feedback, MismatchSaysWhereHowMuchAndWhichPattern) {
  const Evaluation evaluation = Incorrect();
  EXPECT_EQ(WriterOf("mismatch").Write(Answer(), &evaluation),
            "Your program computes a wrong result.\n\n"
            "Of the 100 elements of output 0, 4 are wrong.\n"
            "Where: last tile of dimension 0.\n"
            "The first: at [96] it is 0 where 2.5 is expected.\n"
            "The worst: at [97] it is 0 where -1.5 is expected.\n"
            "The largest error is 2.5 absolute, 1 relative; allowed are 0.0001 "
            "+ 0.0001 * |expected|.\n\nCorrect it." +
                std::string(kClosing));
}

// What a model could use to know inputs beforehand.
TEST(Feedback, SeedsAreNeverSaid) {
  const Evaluation evaluation = Incorrect();
  EXPECT_EQ(WriterOf("all").Write(Answer(), &evaluation).find("987654321"),
            std::string::npos);
}

TEST(Feedback, LayerThatIsOffSaysNoValues) {
  Evaluation evaluation = Incorrect();
  evaluation.reason = "4 of 100 elements are wrong (expected -1.5)";
  const std::string text =
      WriterOf("compiler,exception,timing").Write(Answer(), &evaluation);
  EXPECT_EQ(text, "Your program computes a wrong result.\n\nCorrect it." +
                      std::string(kClosing));
}

TEST(Feedback, TimesStandBesideTheReferenceAndTheFloor) {
  Evaluation evaluation = With(Verdict::kCorrect);
  evaluation.candidate_time.emplace().median = 40;
  evaluation.reference_time.emplace().median = 20;
  evaluation.speedup = record::Interval{0.5, 0.45, 0.55};
  evaluation.ruler.emplace().floor_us = 10;
  const std::string slow = WriterOf("all").Write(Answer(), &evaluation);
  EXPECT_EQ(slow,
            "Your program is correct.\n\n"
            "One call takes 40 us, the reference in eager PyTorch 20 us.\n"
            "It is slower than the reference: its speed is 0.5 times the "
            "reference's (95 % interval 0.45 to 0.55).\n"
            "This device cannot do the task in less than 10 us: you are at 25 "
            "% of what is possible.\n\nMake it faster and keep it correct." +
                std::string(kClosing));
  evaluation.speedup = record::Interval{1.5, 1.45, 1.55};
  evaluation.ruler->floor_us = 0;
  const std::string fast = WriterOf("all").Write(Answer(), &evaluation);
  EXPECT_NE(fast.find("It is 1.5 times as fast as the reference"),
            std::string::npos);
  EXPECT_EQ(fast.find("cannot do the task"), std::string::npos);
  EXPECT_EQ(WriterOf("none").Write(Answer(), &evaluation),
            "Your program is correct.\n\nMake it faster and keep it correct." +
                std::string(kClosing));
}

TEST(Feedback, ExceptionIsTheEndOfTheLog) {
  Evaluation evaluation = With(Verdict::kRuntimeError);
  for (int i = 0; i < 40; ++i)
    evaluation.log += "line " + std::to_string(i) + "\n";
  const std::string text = WriterOf("all").Write(Answer(), &evaluation);
  EXPECT_NE(text.find("(15 lines before)\nline 15\n"), std::string::npos);
  EXPECT_NE(text.find("line 39\n"), std::string::npos);
  EXPECT_EQ(text.find("line 14\n"), std::string::npos);
}

TEST(Feedback, EveryVerdictHasWords) {
  using enum Verdict;
  const FeedbackWriter writer = WriterOf("all");
  for (const Verdict verdict :
       {kCorrect, kIncorrect, kCompileError, kLoadError, kRuntimeError,
        kTimeout, kOutOfMemory, kRejected, kNotCertified}) {
    const Evaluation evaluation = With(verdict);
    EXPECT_TRUE(writer.Write(Answer(), &evaluation).starts_with("Your program"))
        << record::VerdictName(verdict);
  }
  Generation no_code = Answer();
  no_code.status = GenerationStatus::kNoCode;
  no_code.reason = "no fenced block";
  EXPECT_TRUE(
      writer.Write(no_code, nullptr)
          .starts_with("Your answer holds no program: no fenced block"));
}

TEST(Feedback, AProfileStandsInSentences) {
  Evaluation evaluation = With(Verdict::kCorrect);
  record::Profile& profile = evaluation.profile.emplace();
  profile.limiter = "memory";
  profile.figures = {{"memory bandwidth", 900, "GB/s", 1000.0, "It is much."},
                     {"launch gaps", 1, "%", std::nullopt, "There are few."}};
  profile.activity.parts = {{record::Origin::kOwn, "relu", "candidate.so", 0.9},
                            {record::Origin::kOwn, "", "libc.so.6", 0.07},
                            {record::Origin::kOwn, "rare", "", 0.03}};
  EXPECT_EQ(WriterOf("profile").Write(Answer(), &evaluation),
            "Your program is correct.\n\n"
            "A profile of your program says that it is held back by: memory.\n"
            "- It is much.\n- There are few.\n"
            "What took most of its time:\n- 90 %: relu\n- 7 %: libc.so.6\n\n"
            "Make it faster and keep it correct." +
                std::string(kClosing));
  EXPECT_EQ(WriterOf("timing").Write(Answer(), &evaluation).find("profile"),
            std::string::npos);
}

TEST(Feedback, WhatIsLeftOutIsSaid) {
  Evaluation evaluation = With(Verdict::kCorrect);
  evaluation.speedup = record::Interval{1.25, 1, 2};
  EXPECT_EQ(WriterOf("all").LeftOut({TurnLine(Answer(), &evaluation)}, 4),
            "Not shown here are your answers of these turns:\n"
            "turn 3: correct, 1.25 times as fast as the reference\n"
            "The one above is of turn 4.");
}

TEST(Feedback, WrongLayerAndWrongTextAreUsageErrors) {
  EXPECT_FALSE(ParseLayers("compiler,weather"));
  EXPECT_EQ(ParseLayers("mismatch,timing")->size(), 2U);
  FeedbackOptions options;
  options.folder = KB_SOURCE_DIR "/share/prompts";
  options.name = "no-such-text";
  EXPECT_FALSE(FeedbackWriter::Create(options));
}

TEST(Excerpt, OnlyTheFirstErrorsStandThere) {
  std::string log, source;
  for (int i = 1; i <= 9; ++i) {
    source += "line " + std::to_string(i) + "\n";
    log +=
        "k.cu(" + std::to_string(i) + "): error: e" + std::to_string(i) + "\n";
  }
  const std::string text = ErrorExcerpt(log + log, "k.cu", source);
  EXPECT_NE(text.find(">    3 | line 3"), std::string::npos);
  EXPECT_EQ(text.find("e4"), std::string::npos);
  EXPECT_TRUE(text.ends_with("and 6 more\n"));
}

// The cause is our line, which the compiler names before.
TEST(Excerpt, ErrorInAHeaderHasTheLineThatCausedIt) {
  const std::string text = ErrorExcerpt(
      "k.cpp:2:3:   required from here\n/usr/include/x.h:9:1: error: no\n",
      "k.cpp", "a\nb\nc\n");
  EXPECT_NE(text.find(">    2 | b"), std::string::npos);
}

TEST(Excerpt, LongLineStaysOne) {
  const std::string text =
      ErrorExcerpt("k.cu(1): error: " + std::string(1000, 'x'), "k.cu",
                   "int f(); // " + std::string(1000, 'y'));
  EXPECT_EQ(std::ranges::count(text, '\n'), 2) << text;
  EXPECT_NE(text.find("> "), std::string::npos);
  EXPECT_NE(text.find("bytes left out"), std::string::npos);
}

TEST(Excerpt, LogWithoutErrorsIsItsEnd) {
  EXPECT_EQ(ErrorExcerpt("killed\n\x1b[0m\n", "k.cu", ""),
            LogEnd("killed\n\x1b[0m\n"));
}

}  // namespace
}  // namespace kb::prompt
