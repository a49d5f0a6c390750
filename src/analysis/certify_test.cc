#include "analysis/certify.h"

#include <gtest/gtest.h>

namespace kb::analysis {
namespace {

record::Outcome Timed(double candidate_us, double floor_us) {
  record::Outcome outcome;
  outcome.verdict = record::Verdict::kCorrect;
  outcome.candidate_us = candidate_us;
  outcome.floor_us = floor_us;
  outcome.speedup = outcome.wall_speedup = 1000;
  return outcome;
}

TEST(RefuseImpossible, BelowTheFloorIsNotCertifiedAndHasNoSpeedup) {
  record::Outcome outcome = Timed(2, 800);
  RefuseImpossible(&outcome);
  EXPECT_EQ(outcome.verdict, record::Verdict::kNotCertified);
  EXPECT_EQ(outcome.reason, "2 us a call is below the floor of 800 us");
  EXPECT_FALSE(outcome.speedup);
  EXPECT_FALSE(outcome.wall_speedup);
}

TEST(RefuseImpossible, AtTheFloorOrWithoutOneNothingChanges) {
  for (const record::Outcome& before : {Timed(800, 800), Timed(0.1, 0)}) {
    record::Outcome outcome = before;
    RefuseImpossible(&outcome);
    EXPECT_EQ(outcome, before);
  }
  record::Outcome untimed = Timed(1, 800);
  untimed.candidate_us.reset();
  const record::Outcome before = untimed;
  RefuseImpossible(&untimed);
  EXPECT_EQ(untimed, before);
}

TEST(RefuseImpossible, WhatIsWrongAnywayStaysThat) {
  record::Outcome outcome = Timed(2, 800);
  outcome.verdict = record::Verdict::kIncorrect;
  RefuseImpossible(&outcome);
  EXPECT_EQ(outcome.verdict, record::Verdict::kIncorrect);
}

}  // namespace
}  // namespace kb::analysis
