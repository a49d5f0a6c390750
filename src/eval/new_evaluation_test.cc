#include "new_evaluation.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace kb::eval {
namespace {

// What is noted of a correct evaluation in fp32 where the tolerance is one in a
// hundred, at which alone zeros pass.
std::vector<std::string> NotesOfWideTolerance(const record::Policy& policy) {
  record::Problem problem;
  problem.flags = {{.flag = "zero_passes",
                    .reason = "small",
                    .precisions = {record::Precision::kFp16}}};
  record::Evaluation evaluation;
  evaluation.verdict = record::Verdict::kCorrect;
  evaluation.policy = policy;
  NoteWeakness(problem, &evaluation);
  return evaluation.notes;
}

TEST(NoteWeakness, GoesByThePolicysValues) {
  record::Policy policy;
  EXPECT_EQ(NotesOfWideTolerance(policy), std::vector<std::string>{});
  policy.tolerance = record::Tolerance{1e-2, 1e-2};
  EXPECT_EQ(NotesOfWideTolerance(policy),
            std::vector<std::string>{
                "a wrong kernel would pass here under policy kernelbench "
                "changed (zero_passes: small); policy strict tells"});
}

}  // namespace
}  // namespace kb::eval
