#pragma once

#include <cstdint>

namespace kb::stats {

// Student's t with `freedom` (at least 1) degrees of freedom: what its absolute
// value is below in 95 % of cases. To 1e-9, by bisection of the finite sums of
// Abramowitz and Stegun, 26.7.3 and 26.7.4.
double StudentOf95(int64_t freedom);

// The share in each tail of a bootstrap that leaves an interval of 95 % of the
// mean of `items` (at least 2) values: less than 2.5 %, since a resample
// spreads less than what it was drawn from by sqrt(1 - 1 / items), and its
// spread is itself an estimate (the expanded percentile interval: T.
// Hesterberg, "What Teachers Should Know About the Bootstrap", The American
// Statistician 69, 2015, section 5.3).
double ExpandedTail(int64_t items);

}  // namespace kb::stats
