#pragma once

#include <vector>

#include "record/policy.h"
#include "record/timing.h"

namespace kb::timing {

// How much longer one call alone may take than in a chain, in microseconds and
// as a share of it, before the rest counts (record::Ruler::alone_us). On a GPU
// what differs is the first launch after a switch between processes; where
// launches are not hidden, or on cpu, the host's caches are cold too.
struct Allowance {
  double micros = 0;
  double share = 0;
};
Allowance AllowanceAlone(bool cuda, bool gated);

// When timing ends: a rule that is fixed before the candidate runs. After the
// policy's minimum of rounds that count, when the ratio is known to
// policy.relative_error or the time budget is spent; before that when the
// candidate is KnownToBeBelow; and at the maximum of rounds, counted or not, or
// when after the minimum of those four times the budget is spent.
class StoppingRule {
 public:
  StoppingRule(const record::Policy& policy, bool cuda)
      : policy_(policy), cuda_(cuda) {}
  bool Done(const std::vector<record::Trial>& trials,
            const record::Ruler& ruler, double seconds_spent) const;

 private:
  record::Policy policy_;
  bool cuda_;
};

}  // namespace kb::timing
