#pragma once

#include "exam.h"
#include "record/audit.h"
#include "record/policy.h"
#include "record/problem.h"

namespace kb::oracle {

// Examines the open problem itself: puts the standard wrong answers to the test
// that `policy` sets for candidates, in three trials (unless `mutants` is
// false), and finds what else is odd about its reference.
base::Result<record::Audit> RunAudit(const TrialParts& parts,
                                     const record::ProblemFacts& facts,
                                     const record::Policy& policy,
                                     record::Tolerance tolerance, bool mutants);

}  // namespace kb::oracle
