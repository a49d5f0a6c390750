#include "eval/join.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

namespace kb::eval {
namespace {

using record::Judgement;

lane::TurnResult OfProcess(int64_t process, double control_us) {
  lane::TurnResult outcome;
  Judgement& judgement = outcome.judgement;
  judgement.status = Judgement::Status::kOk;
  judgement.loaded = true;
  judgement.ruler.emplace();
  judgement.ruler->control_us = control_us;
  judgement.ruler->disturbed = process;
  judgement.notes = {"said by all"};
  for (int i = 0; i < 4; ++i)
    judgement.trials.push_back({.timed = true, .process = process});
  return outcome;
}

TEST(Join, AddsTrialsAndMeans) {
  lane::TurnResult whole = OfProcess(0, 100);
  Join(OfProcess(1, 400), 1, &whole);
  Join(OfProcess(2, 200), 2, &whole);
  EXPECT_EQ(whole.judgement.trials.size(), 12U);
  EXPECT_EQ(whole.judgement.trials.back().process, 2);
  EXPECT_NEAR(whole.judgement.ruler->control_us, 200, 1e-9)
      << "the geometric mean of 100, 400 and 200";
  EXPECT_EQ(whole.judgement.ruler->disturbed, 3);
  EXPECT_EQ(whole.judgement.notes.size(), 1U);
}

// On cpu the interval allows for what all processes waited, not the first.
TEST(Join, WhatFurtherProcessesWaitedCounts) {
  lane::TurnResult whole = OfProcess(0, 100);
  whole.judgement.ruler->reference_waited = 0.2;
  lane::TurnResult second = OfProcess(1, 100);
  second.judgement.ruler->reference_waited = 0.2;
  second.judgement.ruler->candidate_waited = 0.75;
  Join(second, 1, &whole);
  EXPECT_NEAR(whole.judgement.ruler->reference_waited, 0.2, 1e-9);
  EXPECT_NEAR(whole.judgement.ruler->candidate_waited, 0.5, 1e-9);
  Join(OfProcess(2, 100), 2, &whole);
  EXPECT_NEAR(whole.judgement.ruler->candidate_waited, 1 - std::cbrt(0.25),
              1e-9);
}

TEST(Join, OneRemarkOfAllProcessesIsKept) {
  lane::TurnResult whole = OfProcess(0, 100);
  for (int64_t process = 0; process < 3; ++process) {
    lane::TurnResult next = OfProcess(process, 100);
    next.judgement.notes = {fmt::format("its process says: I am {}", process)};
    Join(next, process + 1, &whole);
  }
  const std::vector<std::string> notes = {"said by all",
                                          "its process says: I am 0"};
  EXPECT_EQ(whole.judgement.notes, notes);
}

// Nor does one that could not be read count among those before.
TEST(Join, AControlThatIsNotKnownSaysNothing) {
  lane::TurnResult whole = OfProcess(0, 100);
  Join(OfProcess(1, 0), 1, &whole);
  EXPECT_EQ(whole.judgement.ruler->control_us, 100);
  lane::TurnResult unread = OfProcess(2, 100);
  unread.judgement.trials.clear();
  lane::TurnResult other = OfProcess(0, 100);
  Join(unread, 1, &other);
  Join(OfProcess(2, 400), 2, &other);
  EXPECT_NEAR(other.judgement.ruler->control_us, 200, 1e-9);
}

TEST(Join, TheFirstFailureIsTheWholes) {
  lane::TurnResult whole = OfProcess(0, 100);
  lane::TurnResult wrong = OfProcess(1, 100);
  wrong.judgement.status = Judgement::Status::kMismatch;
  wrong.judgement.mismatch.emplace().wrong = 7;
  wrong.judgement.limit_s = 20;
  Join(wrong, 1, &whole);
  EXPECT_EQ(whole.judgement.status, Judgement::Status::kMismatch);
  ASSERT_TRUE(whole.judgement.mismatch);
  EXPECT_EQ(whole.judgement.mismatch->wrong, 7);
  EXPECT_EQ(whole.judgement.limit_s, 20);
}

TEST(Join, WhatAFurtherProcessIsWrongOnIsSaid) {
  using Outcome = record::Outside::Outcome;
  const auto tried = [](const char* name, Outcome outcome) {
    record::Outside::Case one;
    one.name = name;
    one.outcome = outcome;
    return one;
  };
  lane::TurnResult whole = OfProcess(0, 100);
  whole.judgement.distributions = {tried("large", Outcome::kRight),
                                   tried("negative", Outcome::kRight)};
  lane::TurnResult wrong = OfProcess(1, 100);
  wrong.judgement.status = Judgement::Status::kMismatch;
  wrong.judgement.distributions = {tried("large", Outcome::kRight),
                                   tried("negative", Outcome::kWrong),
                                   tried("zipf", Outcome::kWrong)};
  Join(wrong, 1, &whole);
  const auto& all = whole.judgement.distributions;
  ASSERT_EQ(all.size(), 3);
  EXPECT_EQ(all[0].outcome, Outcome::kRight);
  EXPECT_EQ(all[1].outcome, Outcome::kWrong);
  EXPECT_EQ(all[2].name, "zipf");
}

// Where it may (Turn::baseline).
TEST(Join, TheFirstMismatchOfWhatMayDifferIsKept) {
  lane::TurnResult whole = OfProcess(0, 100);
  for (const int64_t process : {1, 2}) {
    lane::TurnResult other = OfProcess(process, 100);
    other.judgement.mismatch.emplace().wrong = process;
    Join(other, process, &whole);
  }
  EXPECT_EQ(whole.judgement.status, Judgement::Status::kOk);
  ASSERT_TRUE(whole.judgement.mismatch);
  EXPECT_EQ(whole.judgement.mismatch->wrong, 1);
}

TEST(Join, AProcessThatCouldNotBeReadIsSaid) {
  lane::TurnResult whole = OfProcess(0, 100);
  lane::TurnResult other = OfProcess(1, 100);
  other.judgement.trials.clear();
  Join(other, 1, &whole);
  EXPECT_EQ(whole.judgement.status, Judgement::Status::kOk);
  EXPECT_EQ(whole.judgement.trials.size(), 4U);
  ASSERT_EQ(whole.judgement.notes.size(), 2U);
  EXPECT_EQ(whole.judgement.notes.back(),
            "process 2 could not be read as the first one was");
}

}  // namespace
}  // namespace kb::eval
