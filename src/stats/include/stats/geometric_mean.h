#pragma once

#include <vector>

#include "base/interval.h"

namespace kb::stats {

// The geometric mean of positive ratios, with an interval of their level where
// their errors are independent. In logarithms it is a mean, and the variances
// of independent errors add up (JCGM 100:2008, 5.1.2, equation 10):
//
//   log G = (log r_1 + ... + log r_n) / n
//   h     = sqrt(h_1^2 + ... + h_n^2) / n
//
// h_i is how far the end of r_i's interval is from r_i in logarithms. Both
// sides are taken by themselves, as intervals need not be symmetric. At least
// one.
base::Interval GeometricMean(const std::vector<base::Interval>& ratios);

}  // namespace kb::stats
