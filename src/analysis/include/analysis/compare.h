#pragma once

#include <cstdint>
#include <vector>

#include "analysis/metrics.h"

namespace kb::analysis {

// Two models on the problems that both were asked for.
struct Comparison {
  int64_t problems = 0;
  int64_t better = 0;  // problems where the first one's share is higher
  int64_t worse = 0;
  stats::Interval difference;  // of fast_p: first minus second
  // Of the paired sign-flip test: how often a difference of this size or larger
  // comes from swapping the models at random, problem by problem. Exact for up
  // to 16 problems that differ, else from 20,000 random swaps.
  double p_value = 1;
};

// fast_p of `first` against `second`. No common problem gives zeros and p = 1.
Comparison Compare(const std::vector<Attempts>& first,
                   const std::vector<Attempts>& second, double p,
                   uint64_t seed);

}  // namespace kb::analysis
