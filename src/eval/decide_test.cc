#include "eval/decide.h"

#include <gtest/gtest.h>

namespace kb::eval {
namespace {

using jail::JailExit;
using record::Judgement;
using record::Verdict;
using Status = record::Judgement::Status;

Judgement Ended(Status status, std::string text = "", bool loaded = true) {
  Judgement judgement;
  judgement.status = status;
  judgement.text = std::move(text);
  judgement.loaded = loaded;
  return judgement;
}

JailExit Exit(JailExit::Kind kind, int code = 0, int signal = 0) {
  JailExit exit;
  exit.kind = kind;
  exit.code = code;
  exit.signal = signal;
  return exit;
}

Verdict VerdictOf(const Judgement& judgement, const JailExit& exit) {
  return Decide(judgement, exit, record::Policy()).verdict;
}

TEST(Decide, WhatTheOracleSawDecides) {
  const JailExit killed = Exit(JailExit::Kind::kKilled);
  EXPECT_EQ(VerdictOf(Ended(Status::kOk), killed), Verdict::kCorrect);
  EXPECT_EQ(VerdictOf(Ended(Status::kMismatch), killed), Verdict::kIncorrect);
  EXPECT_EQ(VerdictOf(Ended(Status::kLoadFailed), killed), Verdict::kLoadError);
  EXPECT_EQ(VerdictOf(Ended(Status::kCallFailed), killed),
            Verdict::kRuntimeError);
  EXPECT_EQ(VerdictOf(Ended(Status::kOutOfMemory), killed),
            Verdict::kOutOfMemory);
  EXPECT_EQ(VerdictOf(Ended(Status::kTimeout), killed), Verdict::kTimeout);
  EXPECT_EQ(VerdictOf(Ended(Status::kTampering), killed),
            Verdict::kNotCertified);
}

TEST(Decide, HowTheJailEndedDecidesWhenItWentSilently) {
  const Judgement gone = Ended(Status::kGone, "forward");
  EXPECT_EQ(VerdictOf(gone, Exit(JailExit::Kind::kSignaled, 0, 11)),
            Verdict::kRuntimeError);
  EXPECT_EQ(VerdictOf(gone, Exit(JailExit::Kind::kExited, 0)),
            Verdict::kRuntimeError);
  EXPECT_EQ(VerdictOf(gone, Exit(JailExit::Kind::kTimedOut)),
            Verdict::kTimeout);
  EXPECT_EQ(VerdictOf(gone, Exit(JailExit::Kind::kOutOfMemory)),
            Verdict::kOutOfMemory);
  EXPECT_EQ(VerdictOf(gone, Exit(JailExit::Kind::kSetupFailed)),
            Verdict::kInfraError);
  EXPECT_EQ(VerdictOf(gone, Exit(JailExit::Kind::kExited, 70)),
            Verdict::kInfraError);
}

TEST(Decide, DeathBeforeTheFirstCallIsALoadError) {
  const Judgement loading = Ended(Status::kGone, "", false);
  EXPECT_EQ(VerdictOf(loading, Exit(JailExit::Kind::kSignaled, 0, 11)),
            Verdict::kLoadError);
}

TEST(Decide, ReasonSaysWhatHappenedAndWhere) {
  const Decision crash =
      Decide(Ended(Status::kGone, "forward"),
             Exit(JailExit::Kind::kSignaled, 0, 11), record::Policy());
  EXPECT_EQ(crash.reason,
            "during forward, was killed by signal 11 (Segmentation fault)");
  const Decision raised =
      Decide(Ended(Status::kCallFailed, "Traceback ...\nValueError: no\n"),
             Exit(JailExit::Kind::kKilled), record::Policy());
  EXPECT_EQ(raised.reason, "ValueError: no");
  EXPECT_NE(raised.log.find("Traceback"), std::string::npos);
}

TEST(Describe, CountsAreSaidOnce) {
  record::Mismatch mismatch;
  mismatch.wrong = 3;
  mismatch.elements = 10;
  EXPECT_EQ(Describe(mismatch), "3 of 10 elements of output 0 are wrong");
  mismatch.pattern = "all zeros";
  EXPECT_EQ(Describe(mismatch),
            "3 of 10 elements of output 0 are wrong: all zeros");
  mismatch.pattern = "3 of 10 elements (30 %): NaN";
  EXPECT_EQ(Describe(mismatch), "output 0: 3 of 10 elements (30 %): NaN");
}

record::Evaluation Timed(int counted, int refused, double overhead_us = 0) {
  record::Evaluation evaluation;
  evaluation.device.device = "cuda:0";
  for (int i = 0; i < counted + refused; ++i) {
    record::Trial trial;
    trial.timed = true;
    trial.in_band = i < counted;
    trial.reference_us = 300 + i % 3;
    trial.claimed_us = trial.in_band ? 100 : 1;
    trial.certified_us = 250;
    trial.overhead_us = overhead_us;
    evaluation.trials.push_back(trial);
  }
  return evaluation;
}

TEST(DecideTimes, SpeedupIsOfTheTrialsThatCount) {
  record::Evaluation evaluation = Timed(8, 3);
  const Decision decision = DecideTimes(&evaluation);
  EXPECT_EQ(decision.verdict, Verdict::kCorrect);
  ASSERT_TRUE(evaluation.speedup);
  EXPECT_NEAR(evaluation.speedup->estimate, 3.01, 0.02);
  EXPECT_LE(evaluation.speedup->low, evaluation.speedup->estimate);
  EXPECT_GE(evaluation.speedup->high, evaluation.speedup->estimate);
  EXPECT_EQ(evaluation.candidate_time->count, 8);
  EXPECT_DOUBLE_EQ(evaluation.candidate_time->median, 100);
}

TEST(DecideTimes, HalfOfTheTrialsMustCount) {
  record::Evaluation enough = Timed(5, 5);
  EXPECT_EQ(DecideTimes(&enough).verdict, Verdict::kCorrect);
  record::Evaluation few = Timed(5, 6);
  const Decision decision = DecideTimes(&few);
  EXPECT_EQ(decision.verdict, Verdict::kNotCertified);
  EXPECT_NE(decision.reason.find("5 of 11"), std::string::npos);
  EXPECT_FALSE(few.speedup);
}

TEST(DecideTimes, AClaimInsideTheBandGainsNothingByBeingLow) {
  record::Evaluation evaluation = Timed(10, 0, 20);
  DecideTimes(&evaluation);
  EXPECT_DOUBLE_EQ(evaluation.candidate_time->median, 120);
  record::Evaluation modest = Timed(10, 0, -20);
  DecideTimes(&modest);
  EXPECT_DOUBLE_EQ(modest.candidate_time->median, 100);
}

TEST(DecideTimes, InterpretedCandidatesHaveNoTimes) {
  record::Evaluation evaluation = Timed(10, 0);
  evaluation.interpreted = true;
  EXPECT_EQ(DecideTimes(&evaluation).verdict, Verdict::kCorrect);
  EXPECT_FALSE(evaluation.speedup);
  EXPECT_FALSE(evaluation.candidate_time);
}

}  // namespace
}  // namespace kb::eval
