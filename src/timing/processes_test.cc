#include <gtest/gtest.h>

#include "record/policy.h"
#include "timing/estimate.h"

namespace kb::timing {
namespace {

using record::Policy;
using record::Ruler;

// One call a reading, all launches hidden.
const Ruler kAlone;
const Ruler kChain{.calls = 20};

int64_t Processes(double reference_us, double candidate_us,
                  const Ruler& ruler) {
  return ProcessesFor(Policy(), reference_us, candidate_us, ruler, true);
}

TEST(ProcessesFor, OneWhereTheyHardlyDiffer) {
  EXPECT_EQ(Processes(5000, 5000, kAlone), 1);
  EXPECT_EQ(Processes(5000, 2500, kAlone), 1);
  EXPECT_EQ(ProcessesFor(Policy(), 10, 10, kChain, false), 1) << "on cpu";
}

TEST(ProcessesFor, SeveralWhereTheyDiffer) {
  EXPECT_EQ(Processes(20, 20, kChain), 5);
  EXPECT_EQ(Processes(5000, 20, kAlone), Processes(20, 5000, kAlone));
  EXPECT_EQ(Processes(1000, 1000, kAlone), 5);
}

// Small level3/15, 16 and 30, whose calls of 2.4 to 4.5 ms are 400 to 800
// kernels, were 0.978 to 1.005 of themselves in one process of each side
// (results/aa_small_h100.jsonl, results/aa_small_h200.jsonl), and three of four
// intervals did not contain 1. The same at full size, where kernels are twice
// as long, were within 0.3 %.
TEST(ProcessesFor, SeveralForACallOfManyShortKernels) {
  Ruler many = kAlone;
  many.operators = 700;
  EXPECT_EQ(Processes(4385, 4385, many), 5);
  EXPECT_EQ(Processes(4385 * 8, 4385 * 8, many), 1) << "of long kernels";
}

TEST(ProcessesFor, SeveralWhereLaunchesAreNotHidden) {
  Ruler shown = kAlone;
  shown.gated = false;
  EXPECT_EQ(Processes(5000, 5000, shown), 5);
  EXPECT_EQ(Processes(200000, 200000, shown), 1)
      << "what launches take is little of it";
}

TEST(ProcessesFor, AsManyAsThePolicySays) {
  Policy policy;
  policy.processes = 7;
  EXPECT_EQ(ProcessesFor(policy, 5000, 5000, kAlone, true), 7);
  EXPECT_EQ(ProcessesFor(policy, 10, 10, kChain, false), 7);
  policy.processes = 0;
  policy.min_timed_trials = policy.max_timed_trials = 3;
  EXPECT_EQ(ProcessesFor(policy, 20, 20, kChain, true), 1)
      << "a fixed number of trials";
}

}  // namespace
}  // namespace kb::timing
