#pragma once

#include "stats/summary.h"

namespace kb::timing {

// Standard errors to each side of a mean of few values, with the prior below:
// as of Student's t.
inline constexpr double kFew95 = 2.6;

// Standard deviation of the logarithm of the ratio from round to round where
// the host's time counts, of references against themselves on an H100.
inline constexpr double kOfRound = 0.03;

// The variance of few values, pooled with what is usual, which weighs as much
// as two more of them.
inline double PooledVariance(const stats::Summary& found, double usual) {
  constexpr double kWeight = 2;
  const auto more = static_cast<double>(found.count - 1);
  return (kWeight * usual + more * found.stddev * found.stddev) /
         (kWeight + more);
}

}  // namespace kb::timing
