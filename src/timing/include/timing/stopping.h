#pragma once

#include <cstdint>
#include <vector>

#include "record/policy.h"

namespace kb::timing {

// When timing ends: a rule that is fixed before the candidate runs, so that
// nothing a candidate does in its first calls changes how often it is timed
// below the minimum. Stops after the minimum when the standard error of the
// mean is below policy.relative_error of the mean or the time budget is spent,
// and at the maximum in any case.
class StoppingRule {
 public:
  explicit StoppingRule(const record::Policy& policy) : policy_(policy) {}

  // `micros`: the time of a trial that counts; nothing is added for others.
  void AddCounted(double micros) { counted_.push_back(micros); }
  void AddTrial() { ++trials_; }
  bool Done(double seconds_spent) const;

 private:
  record::Policy policy_;
  std::vector<double> counted_;
  int64_t trials_ = 0;
};

}  // namespace kb::timing
