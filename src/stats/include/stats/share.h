#pragma once

#include <vector>

#include "base/interval.h"

namespace kb::stats {

// The mean of shares, each of the samples of one item, with a 95 % interval:
// Wilson's score interval (E. Wilson, 1927), of as many samples as would leave
// the mean as uncertain as the shares' own spread says (the effective sample
// size: E. Korn and B. Graubard, Survey Methodology 24, 1998), at most of all
// `samples`, and of one an item where all shares are 0 or all are 1. So it
// holds for few items and near 0 and 1, where resampling them hardly shows
// anything.
//
// Wants at least one share, each from 0 to 1.
base::Interval MeanShare(const std::vector<double>& shares, double samples);

// The mean of differences of two shares, pairwise of the same item, with a 95 %
// interval: of A. Agresti and Y. Min (Statistics in Medicine 24, 2005), whose
// two more pairs, one half of which differs by 1 and one half by -1, keep it
// from having no width where all pairs agree, as resampling them has.
//
// Wants at least one difference, each from -1 to 1.
base::Interval MeanDifference(const std::vector<double>& differences);

}  // namespace kb::stats
