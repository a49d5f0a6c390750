#include "timing/stopping.h"

#include <gtest/gtest.h>

namespace kb::timing {
namespace {

record::Policy TenToFifty() {
  record::Policy policy;
  policy.min_timed_trials = 10;
  policy.max_timed_trials = 50;
  policy.timed_seconds = 5;
  policy.relative_error = 0.005;
  return policy;
}

void Add(StoppingRule* rule, int count, double micros, double spread) {
  for (int i = 0; i < count; ++i) {
    rule->AddTrial();
    rule->AddCounted(micros + (i % 2 == 0 ? spread : -spread));
  }
}

TEST(StoppingRule, NeverBelowTheMinimum) {
  StoppingRule rule(TenToFifty());
  Add(&rule, 9, 100, 0);
  EXPECT_FALSE(rule.Done(1000));
}

TEST(StoppingRule, StopsWhenTheMeanIsKnown) {
  StoppingRule rule(TenToFifty());
  Add(&rule, 10, 100, 0.1);
  EXPECT_TRUE(rule.Done(0));
}

TEST(StoppingRule, GoesOnWhileTheMeanIsUncertain) {
  StoppingRule rule(TenToFifty());
  Add(&rule, 10, 100, 30);
  EXPECT_FALSE(rule.Done(0));
  EXPECT_TRUE(rule.Done(5)) << "the time is spent";
  Add(&rule, 40, 100, 30);
  EXPECT_TRUE(rule.Done(0)) << "the maximum is reached";
}

TEST(StoppingRule, TrialsThatDoNotCountDoNotEndIt) {
  StoppingRule rule(TenToFifty());
  Add(&rule, 5, 100, 0);
  for (int i = 0; i < 20; ++i) rule.AddTrial();
  EXPECT_FALSE(rule.Done(0));
}

}  // namespace
}  // namespace kb::timing
