#pragma once

#include <cstdint>
#include <vector>

namespace kb::stats {

// All functions here want at least one value, and finite values only: what
// comes from a candidate is checked before.

// The q-quantile (0 <= q <= 1) with linear interpolation between order
// statistics: definition 7 of Hyndman and Fan 1996, numpy's default.
double Quantile(std::vector<double> values, double q);

double Median(std::vector<double> values);

struct Summary {
  int64_t count = 0;
  double median = 0;
  double mean = 0;
  double stddev = 0;  // of a sample: divided by count - 1; 0 for one value
  double min = 0;
  double max = 0;
  double q25 = 0;
  double q75 = 0;
};
Summary Summarize(std::vector<double> values);

// Standard error of the mean over the mean's absolute value. Infinite for one
// value, because nothing is known then, and for a mean of zero.
double RelativeStandardError(const std::vector<double>& values);

}  // namespace kb::stats
