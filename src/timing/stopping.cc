#include "timing/stopping.h"

#include "stats/summary.h"

namespace kb::timing {

bool StoppingRule::Done(double seconds_spent) const {
  if (trials_ < policy_.min_timed_trials) return false;
  if (trials_ >= policy_.max_timed_trials) return true;
  if (seconds_spent >= policy_.timed_seconds) return true;
  return static_cast<int64_t>(counted_.size()) >= policy_.min_timed_trials &&
         counted_.size() >= 2 &&
         stats::RelativeStandardError(counted_) < policy_.relative_error;
}

}  // namespace kb::timing
