#pragma once

#include <vector>

#include "record/policy.h"
#include "record/timing.h"

namespace kb::timing {

// One side's readings, round by round, and what they are made of. Microseconds.
struct Readings {
  std::vector<double> one;    // of one call
  std::vector<double> chain;  // of Ruler::calls calls; unused when that is 1
  double constant = 0;        // of no call (ConstantOf)
  // What one - constant may be above a call in a chain besides the ruler's
  // allowance, the same for both sides: as much as chance explains, and less
  // than nothing where the reference takes less alone than in a chain (no
  // launch waits for the one before).
  double margin = 0;
};

// Of the readings of no call: their median, or the least where calls are
// chained and it is taken from the least of one call. One reading can be
// disturbed in one direction only, and some take 6 us longer for a while.
double ConstantOf(const std::vector<double>& readings,
                  const record::Ruler& ruler);

// Of one call: the slope (chain - one) / (calls - 1) of the medians, in which
// everything cancels that a chain costs once, or, when calls are so long that
// none is chained, one - constant. Never less than what one call alone (its
// least reading) shows beyond the constant, the ruler's allowance and the
// margin: calls that are done together are faster in a chain than alone. Nor is
// one call's median more than 7 us (or the allowance) above its least reading:
// who is slow alone now and then would have a flat slope.
double CallMicros(const Readings& readings, const record::Ruler& ruler);

// The same for the readings of one round, without a margin. Never below a
// nanosecond.
double RoundMicros(double one, double chain, double constant,
                   const record::Ruler& ruler);

// The readings of the trials that count, of one process of each side.
struct Sides {
  Readings reference;
  Readings candidate;
};
Sides SidesOf(const std::vector<record::Trial>& trials,
              const record::Ruler& ruler);

// What can be known of the ratio of the two call times, as a share of it: half
// the width of a 95 % interval, from the spread of the readings alone. Infinite
// for fewer than four rounds.
double RelativeUncertainty(const Sides& sides, const record::Ruler& ruler);

// How many processes of each side the policy wants at most: its own number, or
// one where processes are known to differ by little beside its relative error
// (docs/timing.md), or 5. One on cpu, and for a fixed number of trials.
int64_t ProcessesFor(const record::Policy& policy, double reference_us,
                     double candidate_us, bool cuda);

// Whether the processes so far say enough: as many as Ruler::processes, or,
// when the policy names no number, two and more whose interval is narrower
// than 2.5 times the policy's relative error to each side. Never fewer when the
// candidate takes longer alone than the reference does (by 0.5 us or 1 %): what
// it does alone is known to a microsecond in one process.
bool EnoughProcesses(const record::Policy& policy,
                     const std::vector<record::Trial>& trials,
                     const record::Ruler& ruler, bool cuda);

// Reference over candidate with its 95 % interval, which covers what other
// processes would show. One process of each side: 2000 resamples of whole
// rounds, widened by the known spread between processes on one device
// (docs/timing.md). Several: the geometric mean of their ratios, and their
// variance with the known one as a prior. The same trials always give the same
// interval.
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
