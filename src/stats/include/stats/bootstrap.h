#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "base/interval.h"

namespace kb::stats {

using base::Interval;

// A statistic of `items` items, with the percentile interval of 2000 bootstrap
// resamples: `statistic` is given the indices that were drawn, and first all of
// them in order. What belongs together is one item, so that drift which all of
// it shares does not widen the interval. The same seed gives the same interval
// everywhere.
//
// Wants at least one item, and finite values of the statistic.
Interval Resampled(
    size_t items, uint64_t seed,
    const std::function<double(const std::vector<size_t>&)>& statistic);

// The mean. Its interval is of the same resamples, and its ends are further in
// the tails the fewer values there are (ExpandedTail), so that it holds for ten
// as for hundreds. At least one value, all finite.
Interval Mean(const std::vector<double>& values, uint64_t seed);

// A part of a weighted mean: its sum of values and the weight of these.
struct Weighted {
  double sum = 0;
  double weight = 0;
};
// The sum of sums over the sum of weights, with the same kind of interval as
// the mean; parts are drawn whole. At least one part, each of a weight above
// zero.
Interval WeightedMean(const std::vector<Weighted>& parts, uint64_t seed);

}  // namespace kb::stats
