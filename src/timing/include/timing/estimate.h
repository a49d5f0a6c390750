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
  // What counts besides a call in a chain, because a call alone takes longer
  // (AddedAlone, SidesOf).
  double added = 0;
};

// Of the readings of no call: their median, but no more than 7 us (or the
// allowance) above the least; the least itself where calls are chained and it
// is taken from the least of one call. One reading can be disturbed in one
// direction only, and some take 6 us longer for a while.
double ConstantOf(const std::vector<double>& readings,
                  const record::Ruler& ruler);

// By how much more a chain costs once in the candidate's process than in the
// reference's, before either had loaded anything, in the middle of the trials:
// 0.7 us (standard deviation of the difference) on an H100, and 3 us at most,
// since more was somebody else's doing. 0 where it was not read.
double OnceApart(const std::vector<const record::Trial*>& trials);

// Of one call: the slope (chain - one) / (calls - 1) of the medians, in which
// everything cancels that a chain costs once, or, when calls are so long that
// none is chained, one - constant; and `added`. One call's median counts for no
// more than 7 us (or the allowance) above its least reading: who is slow alone
// now and then would have a flat slope.
double CallMicros(const Readings& readings, const record::Ruler& ruler);

// By how much one call alone (its least reading, less the constant) is longer
// than one in a chain, beyond the ruler's allowance: weights that only a
// chain's first call finds cold, and calls of a chain that are done together.
// Not below 0; 0 where none is chained, and on cpu: what a call alone takes
// longer there is the host's, which the system had stopped.
double AddedAlone(const Readings& readings, const record::Ruler& ruler);

// The same for the readings of one round. Never below a
// nanosecond.
double RoundMicros(double one, double chain, double constant,
                   const record::Ruler& ruler);

// The readings of the trials that count, of one process of each side. What is
// added to the reference's calls is AddedAlone; to the candidate's the same, as
// far as its own readings and chance allow: what it shows beyond that, counted
// from where the reference is when a call alone is shorter than in a chain (on
// cpu, also when it is longer), comes on top.
struct Sides {
  Readings reference;
  Readings candidate;
  // Microseconds by which chance may make a call alone look longer.
  double chance = 0;
  // Standard deviation, from one run to the next, of what is added to the
  // candidate's call, microseconds.
  double doubt = 0;
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
// Of `ruler` it counts how many calls a chain has, Ruler::operators and
// ::gated.
int64_t ProcessesFor(const record::Policy& policy, double reference_us,
                     double candidate_us, const record::Ruler& ruler,
                     bool cuda);

// Whether the processes so far say enough: as many as Ruler::processes, or,
// when the policy names no number, two and more whose interval is narrower
// than 2.5 times the policy's relative error to each side. Where it is wider
// than four times after so many, of several and of calls that are chained, up
// to twelve. Any number when the candidate is KnownToBeBelow. Up to five when
// the candidate takes longer alone than the reference does (by 0.5 us or 1 %),
// until that is known to 0.5 % of a call, unless the policy names a number: one
// process knows it to 0.3 us; where it was not read what a chain costs once, to
// a microsecond, and it is up to nine; that is no question of a program of our
// own.
// `read`: how many there were, also those that have no trial.
bool EnoughProcesses(const record::Policy& policy,
                     const std::vector<record::Trial>& trials, int64_t read,
                     const record::Ruler& ruler, bool cuda,
                     bool trusted = false);

// Reference over candidate with its 95 % interval, which covers what other
// processes would show, and on a GPU a second run on another one of the kind.
// One process of each side: 2000 resamples of whole rounds, or on cpu how far
// the readings are from their least, widened by the known spread between
// processes on one device (docs/timing.md). Several: the geometric mean of
// their ratios, and their variance with the known one as a prior. Where
// launches show, the median of the rounds' ratios. Of fewer than six rounds of
// one process, or where launches show, no less than Student's t says of them;
// one round says nothing. The same trials always give the same interval.
record::Interval Speedup(const std::vector<record::Trial>& trials,
                         const record::Ruler& ruler, bool cuda);

// Whether trials say already that the speedup is below policy.stop_below. Asked
// again and again, so by twice the interval's distance from the estimate
// (docs/timing.md). Never before four rounds count, nor where the policy fixes
// their number.
bool KnownToBeBelow(const record::Policy& policy,
                    const std::vector<record::Trial>& trials,
                    const record::Ruler& ruler, bool cuda);

// The reference counts for no more than this share above what it takes once the
// candidate's process has gone (Ruler::control_us): 2 % on a GPU, 25 % on cpu,
// where readings vary, and where it waits for the device by itself.
double ShareAboveControl(const record::Ruler& ruler);

// What of the reference's time counts: less than 1 when it takes less by more
// than that once the candidate's process has gone.
double CountedShareOfReference(const std::vector<record::Trial>& trials,
                               const record::Ruler& ruler);

// At least one value.
record::TimeSummary Summarize(std::vector<double> values);

// Call times of the trials that count; the median is CallMicros.
record::TimeSummary ReferenceTime(const std::vector<record::Trial>& trials,
                                  const record::Ruler& ruler);
record::TimeSummary CandidateTime(const std::vector<record::Trial>& trials,
                                  const record::Ruler& ruler);

}  // namespace kb::timing
