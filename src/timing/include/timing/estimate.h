#pragma once

#include <vector>

#include "record/policy.h"
#include "record/timing.h"

namespace kb::timing {

// One side's readings, round by round, and what they are made of. Microseconds.
struct Readings {
  std::vector<double> one;    // of one call
  std::vector<double> chain;  // of Ruler::calls calls; unused when that is 1
  double constant = 0;        // of no call
};

// Of one call: the slope (chain - one) / (calls - 1) of the medians, in which
// everything cancels that a chain costs once, or, when calls are so long that
// none is chained, one - constant. Never less than what one call alone shows
// beyond the constant and the ruler's allowance: calls that are done together
// are faster in a chain than alone.
double CallMicros(const Readings& readings, const record::Ruler& ruler);

// The same for the readings of one round. Never below a nanosecond.
double RoundMicros(double one, double chain, double constant,
                   const record::Ruler& ruler);

// The readings of the trials that count.
struct Sides {
  Readings reference;
  Readings candidate;
};
Sides SidesOf(const std::vector<record::Trial>& trials);

// What can be known of the ratio of the two call times, as a share of it: half
// the width of a 95 % interval, from the spread of the readings alone. Infinite
// for fewer than four rounds.
double RelativeUncertainty(const Sides& sides, const record::Ruler& ruler);

// Reference over candidate with its 95 % interval: 2000 resamples of whole
// rounds, and beside them what another pair of processes would show (the
// spread between processes on one device, docs/timing.md). The same seed gives
// the same interval.
record::Interval Speedup(const std::vector<record::Trial>& trials,
                         const record::Ruler& ruler, bool cuda);

// At least one value.
record::TimeSummary Summarize(std::vector<double> values);

// Call times of the trials that count; the median is CallMicros.
record::TimeSummary ReferenceTime(const std::vector<record::Trial>& trials,
                                  const record::Ruler& ruler);
record::TimeSummary CandidateTime(const std::vector<record::Trial>& trials,
                                  const record::Ruler& ruler);

}  // namespace kb::timing
