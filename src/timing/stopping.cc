#include "timing/stopping.h"

#include "timing/estimate.h"

namespace kb::timing {

Allowance AllowanceAlone(bool cuda, bool gated) {
  if (!cuda) return {100, 0.5};
  return gated ? Allowance{0.25, 0.02} : Allowance{20, 0.1};
}

bool StoppingRule::Done(const std::vector<record::Trial>& trials,
                        const record::Ruler& ruler,
                        double seconds_spent) const {
  int64_t timed = 0;
  int64_t counted = 0;
  for (const record::Trial& trial : trials) {
    timed += trial.timed ? 1 : 0;
    counted += trial.timed && trial.counts ? 1 : 0;
  }
  if (timed >= policy_.max_timed_trials) return true;
  constexpr double kPatience = 4;
  if (seconds_spent >= kPatience * policy_.timed_seconds &&
      timed >= policy_.min_timed_trials)
    return true;
  if (KnownToBeBelow(policy_, trials, ruler, cuda_)) return true;
  if (counted < policy_.min_timed_trials) return false;
  return seconds_spent >= policy_.timed_seconds ||
         RelativeUncertainty(SidesOf(trials, ruler), ruler) <
             policy_.relative_error;
}

}  // namespace kb::timing
