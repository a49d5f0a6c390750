#include "report/details.h"

#include <gtest/gtest.h>

#include <string>

#include "text_fixture.h"

namespace kb::report {
namespace {

using record::Evaluation;
using record::Mismatch;
using record::Verdict;

Evaluation Judged(Verdict verdict) {
  Evaluation e;
  e.problem_id = "level1/19";
  e.candidate.name = "relu.cu";
  e.device.device = "cpu";
  e.isolation = "full";
  e.verdict = verdict;
  e.reason = "as expected";
  return e;
}

std::string DetailsOf(const Evaluation& e) { return RenderDetails(e, false); }

Evaluation Wrong(const Mismatch& mismatch) {
  Evaluation e = Judged(Verdict::kIncorrect);
  e.mismatch = mismatch;
  return e;
}

TEST(Details, OfOneWithoutNumbersAreTwoLines) {
  EXPECT_EQ(DetailsOf(Judged(Verdict::kCorrect)),
            "correct  level1/19 relu.cu (cpu, full, fp32)\n"
            "  reason      as expected\n");
}

TEST(Details, EachSizeIsARowBelowTheVerdictOverAll) {
  Evaluation e = Judged(Verdict::kIncorrect);
  e.size = *record::ParseSize("full,ragged");
  record::AtSize full;
  full.verdict = Verdict::kCorrect;
  full.speedup = {2, 1.9, 2.1};
  full.candidate_time.emplace().median = 5;
  full.reference_time.emplace().median = 10;
  record::AtSize ragged;
  ragged.size = *record::ParseSize("ragged");
  ragged.verdict = Verdict::kIncorrect;
  e.sizes = {full, ragged};
  EXPECT_EQ(DetailsOf(e),
            "incorrect  level1/19 relu.cu (cpu, full,ragged, fp32)\n"
            "  reason      as expected\n"
            "  sizes       full    correct  2.00x [1.90, 2.10]  5.00 us "
            "(PyTorch 10.0 us)\n"
            "              ragged  incorrect\n");
}

TEST(Details, OnlyTheVerdictIsColoured) {
  const std::string good = RenderDetails(Judged(Verdict::kCorrect), true);
  EXPECT_TRUE(good.starts_with("\033[1;32mcorrect\033[0m  level1/19"));
  EXPECT_EQ(good.rfind('\033'), good.find("\033[0m"));
  for (const auto verdict : {Verdict::kNotCertified, Verdict::kInfraError})
    EXPECT_TRUE(RenderDetails(Judged(verdict), true).starts_with("\033[1;31m"));
  EXPECT_FALSE(Has(DetailsOf(Judged(Verdict::kCorrect)), "\033"));
}

// The terminal must not obey what a candidate wrote, nor take it for a line of
// ours.
TEST(Details, WhatOthersWroteStaysOnItsLineAndHidesNothing) {
  static const std::string kHostile = "x\n  reason      fine\033[2J\u202e";
  Evaluation e = Judged(Verdict::kIncorrect);
  e.problem_id = e.candidate.name = e.reason = kHostile;
  e.policy.name = e.isolation = kHostile;
  e.notes = {kHostile};
  e.log = kHostile;
  const std::string details = DetailsOf(e);
  EXPECT_FALSE(Has(details, "\033"));
  EXPECT_FALSE(Has(details, "\u202e"));
  EXPECT_FALSE(Has(details, "\n  reason      fine"));
}

TEST(Details, LogIsIndentedLineByLine) {
  Evaluation e = Judged(Verdict::kCompileError);
  e.log = "a.cu(3): error\n\n  b";
  EXPECT_TRUE(
      DetailsOf(e).ends_with("  log\n    a.cu(3): error\n    \n      b\n"));
}

TEST(Details, MismatchSaysWhereAndHowToSeeItAgain) {
  Mismatch mismatch;
  mismatch.wrong = 12345;
  mismatch.elements = 65536;
  mismatch.output = 1;
  mismatch.max_abs_error = 0.012345;
  mismatch.max_rel_error = 2;
  mismatch.seed = 42;
  mismatch.first = {{0, 7}, 1.5, -1.5};
  EXPECT_TRUE(Has(DetailsOf(Wrong(mismatch)),
                  "  wrong       12,345 of 65,536 elements of output 1\n"
                  "  errors      absolute 0.0123, relative 2 at most\n"
                  "  first       [0, 7]: -1.5, expected 1.5\n"
                  "  seed        42\n"));
}

TEST(Details, ErrorsAreOnlyThoseOfFiniteElements) {
  Mismatch mismatch;
  mismatch.wrong = mismatch.nonfinite = 8;
  mismatch.elements = 16;
  const std::string all = DetailsOf(Wrong(mismatch));
  EXPECT_TRUE(Has(all, "  non-finite  8\n"));
  EXPECT_FALSE(Has(all, "  errors "));
  mismatch.nonfinite = 7;
  EXPECT_TRUE(Has(DetailsOf(Wrong(mismatch)), "  errors "));
}

TEST(Details, OfAWrongStructureTheReasonSaysAll) {
  Mismatch mismatch;
  mismatch.structure = "2 outputs, expected 1";
  EXPECT_EQ(DetailsOf(Wrong(mismatch)), DetailsOf(Judged(Verdict::kIncorrect)));
}

TEST(Details, TimesNeedBothSides) {
  Evaluation e = Judged(Verdict::kNotCertified);
  e.candidate_time = {.count = 6, .median = 10};
  e.candidate_wall = {.count = 6, .median = 12};
  EXPECT_EQ(DetailsOf(e), DetailsOf(Judged(Verdict::kNotCertified)));
  e.reference_time = {.count = 6, .median = 20};
  e.reference_wall = {.count = 6, .median = 2400};
  const std::string details = DetailsOf(e);
  EXPECT_TRUE(
      Has(details,
          "  time        10.0 us (PyTorch 20.0 us), 6 certified trials\n"
          "  wall time   12.0 us (PyTorch 2.40 ms)\n"));
  EXPECT_FALSE(Has(details, "speedup"));
}

TEST(Details, WhatIsUsualIsNotSaid) {
  Evaluation e = Judged(Verdict::kCorrect);
  e.ruler = record::Ruler{.calls = 8};
  EXPECT_EQ(DetailsOf(e), DetailsOf(Judged(Verdict::kCorrect)));
  e.ruler->warm = true;
  e.policy.name = "strict";
  e.isolation = "reduced";
  e.notes = {"first", "second"};
  const std::string details = DetailsOf(e);
  EXPECT_TRUE(Has(details, "  timing      caches are warm"));
  EXPECT_TRUE(Has(details,
                  "  note        first\n  note        second\n"
                  "  policy      strict\n  isolation   reduced\n"));
}

}  // namespace
}  // namespace kb::report
