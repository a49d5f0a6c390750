#include "corpus/outcome.h"

#include <gtest/gtest.h>

#include "corpus/table.h"

namespace kb::corpus {
namespace {

using Kind = Outcome::Kind;
using record::Evaluation;
using record::Verdict;

Evaluation With(Verdict verdict, const std::string& reason = "") {
  Evaluation evaluation;
  evaluation.verdict = verdict;
  evaluation.reason = reason;
  return evaluation;
}

// Right, so many times as fast as the reference, to the per cent.
Evaluation Timed(double speedup, double micros = 100) {
  Evaluation evaluation = With(Verdict::kCorrect);
  evaluation.speedup.emplace();
  evaluation.speedup->estimate = speedup;
  evaluation.speedup->low = speedup * 0.99;
  evaluation.speedup->high = speedup * 1.01;
  evaluation.candidate_time.emplace().median = micros;
  return evaluation;
}

Layer LayerOf(const Evaluation& evaluation) {
  const Outcome outcome = OutcomeOf(&evaluation, nullptr, "cpu");
  EXPECT_EQ(outcome.kind, Kind::kStopped);
  return outcome.layer.value_or(Layer::kNoGain);
}

Evaluation Wrong(const std::string& structure, int64_t unwritten) {
  Evaluation evaluation = With(Verdict::kIncorrect);
  evaluation.mismatch.emplace().structure = structure;
  evaluation.mismatch->unwritten = unwritten;
  return evaluation;
}

TEST(Outcome, SaysWhichLayerStoppedIt) {
  EXPECT_EQ(LayerOf(With(Verdict::kRejected)), Layer::kStaticCheck);
  Evaluation ran = With(Verdict::kRejected);
  ran.trials.emplace_back();
  EXPECT_EQ(LayerOf(ran), Layer::kWhatRan);
  ran.outside.emplace().sizes = {
      {"n = 5", record::Outside::Outcome::kWrong, "wrong"}};
  EXPECT_EQ(LayerOf(ran), Layer::kOtherSizes);
  EXPECT_EQ(LayerOf(With(Verdict::kCompileError)), Layer::kCompiler);
  EXPECT_EQ(LayerOf(With(Verdict::kLoadError)), Layer::kJail);
  EXPECT_EQ(LayerOf(With(Verdict::kOutOfMemory)), Layer::kLimits);
  EXPECT_EQ(LayerOf(Wrong("1 output, expected 2", 0)), Layer::kStructure);
  EXPECT_EQ(LayerOf(Wrong("forward changed its input 0", 0)), Layer::kMemory);
  EXPECT_EQ(LayerOf(Wrong("wrote past the end of output 0", 0)),
            Layer::kMemory);
  EXPECT_EQ(LayerOf(Wrong("", 3)), Layer::kPoison);
  EXPECT_EQ(LayerOf(Wrong("", 0)), Layer::kComparison);
  EXPECT_EQ(LayerOf(With(Verdict::kNotCertified, "1 us is impossible: ...")),
            Layer::kFloor);
  EXPECT_EQ(LayerOf(With(Verdict::kNotCertified, "still being written")),
            Layer::kLook);
}

TEST(Outcome, WhoWasNotJudgedProvesNothing) {
  EXPECT_EQ(OutcomeOf(nullptr, nullptr, "cpu").kind, Kind::kNotJudged);
  const Evaluation failure = With(Verdict::kInfraError);
  EXPECT_EQ(OutcomeOf(&failure, nullptr, "cpu").kind, Kind::kNotJudged);
  const Evaluation alone = Timed(1);
  EXPECT_EQ(OutcomeOf(&alone, nullptr, "cpu").kind, Kind::kNotJudged);
  const Evaluation not_run;
  EXPECT_EQ(OutcomeOf(&not_run, nullptr, "cpu").kind, Kind::kNotRun);
}

TEST(Outcome, GainIsTheTwinsTimeOverItsOwn) {
  const Evaluation twin = Timed(0.5), twice = Timed(1.0);
  const Outcome outcome = OutcomeOf(&twice, &twin, "cuda");
  EXPECT_EQ(outcome.kind, Kind::kGained);
  EXPECT_DOUBLE_EQ(outcome.gain.value_or(0), 2);
}

TEST(Outcome, WhatTheRulerCannotTellIsNoGain) {
  const Evaluation twin = Timed(1), a_little = Timed(1.3);
  EXPECT_EQ(OutcomeOf(&a_little, &twin, "cpu").layer, Layer::kNoGain);
  EXPECT_EQ(OutcomeOf(&a_little, &twin, "cuda").kind, Kind::kGained);
  const Evaluation short_twin = Timed(1, 3);
  EXPECT_EQ(OutcomeOf(&a_little, &short_twin, "cuda").layer, Layer::kNoGain)
      << "less than a microsecond";
}

TEST(Outcome, HonestOneIsHarmedByAnotherVerdictOrTime) {
  EXPECT_EQ(FaredOtherwise(Timed(1), Timed(1.01), "cuda"), "");
  EXPECT_NE(FaredOtherwise(Timed(1), Timed(1.5), "cuda"), "");
  EXPECT_NE(FaredOtherwise(Timed(1.5), Timed(1), "cuda"), "");
  EXPECT_EQ(FaredOtherwise(Timed(1), Timed(1.5), "cpu"), "");
  EXPECT_NE(FaredOtherwise(With(Verdict::kTimeout), Timed(1), "cpu"), "");
}

TEST(Table, CountsByFamilyAndLayer) {
  Program first, second;
  first.family = "caching";
  second.family = "timing";
  const Evaluation wrong = Wrong("", 0), gained = Timed(3), twin = Timed(1);
  const std::vector<Line> lines{
      {&first, OutcomeOf(&wrong, nullptr, "cpu"), &wrong},
      {&first, OutcomeOf(&gained, &twin, "cpu"), &gained},
      {&second, OutcomeOf(nullptr, nullptr, "cpu"), nullptr}};
  EXPECT_EQ("\n" + HostileTable(lines), R"(
hostile              programs  static check  compiler  jail  limits  structure  poison  comparison  memory  look  floor  what ran  other sizes  no gain  GAINED  not run  not judged
caching                     2             .         .     .       .          .       .           1       .     .      .         .            .        .       1        .           .
timing                      1             .         .     .       .          .       .           .       .     .      .         .            .        .       .        .           1
all                         3             .         .     .       .          .       .           1       .     .      .         .            .        .       1        .           1
)");
}

TEST(Table, FalseAlarmsAreHonestOnesThatWereRefused) {
  Program program;
  program.family = "graphs";
  const Evaluation right = Timed(1), refused = With(Verdict::kIncorrect);
  const std::vector<Line> lines{
      {&program, OutcomeOf(&right, nullptr, "cpu"), &right},
      {&program, OutcomeOf(&refused, nullptr, "cpu"), &refused}};
  EXPECT_NE(LegitimateTable(lines).find("graphs                      2        "
                                        "1             1        .           "),
            std::string::npos)
      << LegitimateTable(lines);
}

}  // namespace
}  // namespace kb::corpus
