#pragma once

namespace kb::base {

// An estimate, and low..high, which holds the true value in 95 of 100
// repetitions.
struct Interval {
  double estimate = 0;
  double low = 0;
  double high = 0;
  bool operator==(const Interval&) const = default;
};

}  // namespace kb::base
