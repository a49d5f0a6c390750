#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/interval.h"
#include "record/timing.h"

namespace kb::timing {

struct OfBoth {
  double reference = 0;
  double candidate = 0;
};

// What one call and a chain of `calls` take that are not gated, microseconds.
// Of one call `chain` means nothing.
struct WallReadings {
  int64_t calls = 1;
  double one = 0;
  double chain = 0;
};

// Microseconds of one call of each side. `constant`: a reading without any
// call, of the reference's process. What a chain costs the candidate once
// counts as part of its calls where it is 30 us more than it costs the
// reference: a candidate that waits when it is called once would have a flat
// slope. Never below a nanosecond.
OfBoth WallMicros(const WallReadings& reference, const WallReadings& candidate,
                  double constant);

// Wall time per call, host included, of both sides, and reference over
// candidate with its 95 % interval.
struct Wall {
  record::TimeSummary reference;
  record::TimeSummary candidate;
  base::Interval speedup;
};

// Of the trials that count and in which it was read; nothing when there is
// none. The ratio is the median of the rounds': a host is now and then half as
// fast, and both sides of a round meet with the same. Its interval is that of a
// mean of the rounds' logarithms, whose spread has what rounds usually show as
// a prior, of what processes differ by, and of what another host makes of a
// short call's ratio (docs/timing.md).
std::optional<Wall> WallOf(const std::vector<record::Trial>& trials);

}  // namespace kb::timing
