#pragma once

#include <optional>
#include <vector>

#include "base/interval.h"
#include "record/timing.h"

namespace kb::timing {

// Wall time per call, host included, of both sides, and reference over
// candidate with its 95 % interval.
struct Wall {
  record::TimeSummary reference;
  record::TimeSummary candidate;
  base::Interval speedup;
};

// Of the trials that count and in which it was read; nothing when there is
// none. The ratio is that of the medians. Its interval is that of a mean of
// the rounds' logarithms, whose spread has what rounds usually show as a prior,
// and of what processes differ by (docs/timing.md).
std::optional<Wall> WallOf(const std::vector<record::Trial>& trials);

}  // namespace kb::timing
