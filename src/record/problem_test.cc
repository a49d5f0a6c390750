#include "record/problem.h"

#include <gtest/gtest.h>

namespace kb::record {
namespace {

// As v3/level2/99 says of float16 and bfloat16.
const Flag kAtOneInAHundred{.flag = "zero_passes",
                            .reason = "x",
                            .precisions = {Precision::kFp16, Precision::kBf16}};

bool HoldsUnder(const Policy& policy, Precision precision,
                const Problem& problem = {}) {
  return kAtOneInAHundred.Holds(precision, Size::kFull,
                                problem.NameOf(policy, precision));
}

TEST(Problem, PolicyIsKnownByItsValuesNotByItsName) {
  const Problem problem;
  for (const char* name :
       {"kernelbench", "strict", "own-kernels", "v3", "original"})
    for (const Precision precision :
         {Precision::kFp32, Precision::kBf16, Precision::kAsGiven})
      EXPECT_EQ(problem.NameOf(*NamedPolicy(name), precision), name);
  Policy mine;
  mine.name = "mine";
  mine.error_multiple = 3;
  EXPECT_EQ(problem.NameOf(mine, Precision::kFp32), "mine");
  // What says nothing about how answers are compared.
  Policy slower;
  slower.max_timed_trials = slower.min_timed_trials = 3;
  slower.provenance = ProvenanceRule::kOn;
  EXPECT_EQ(problem.NameOf(slower, Precision::kFp32), "kernelbench");
  Policy strict = *NamedPolicy("strict");
  strict.error_multiple = 0;
  EXPECT_EQ(problem.NameOf(strict, Precision::kFp32), "strict changed");
}

TEST(Flag, HoldsInEveryPrecisionUnderAWiderTolerance) {
  Policy policy;
  EXPECT_FALSE(HoldsUnder(policy, Precision::kFp32));
  policy.tolerance = Tolerance{1e-2, 1e-2};
  EXPECT_TRUE(HoldsUnder(policy, Precision::kFp32));
  Policy by_type;
  by_type.tolerances[DType::kFloat32] = {1e-2, 1e-2};
  EXPECT_TRUE(HoldsUnder(by_type, Precision::kFp32));
  // It is what the policy says of float16.
  EXPECT_EQ(Problem().NameOf(policy, Precision::kFp16), "kernelbench");
}

TEST(Flag, ToleranceOfTheProblemIsNoWiderOne) {
  Problem problem;
  problem.tolerances = {{.precision = Precision::kFp32, .value = 1e-3}};
  const Policy adjusted = problem.Adjusted({}, Precision::kFp32);
  ASSERT_TRUE(adjusted.tolerance);
  EXPECT_FALSE(HoldsUnder(adjusted, Precision::kFp32, problem));
  EXPECT_TRUE(HoldsUnder(adjusted, Precision::kFp32));
}

}  // namespace
}  // namespace kb::record
