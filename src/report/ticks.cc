#include "ticks.h"

#include <cmath>

namespace kb::report {

double RoundStep(double range, double most) {
  const double raw = range / most;
  const double unit = std::pow(10, std::floor(std::log10(raw)));
  for (const double factor : {1.0, 2.0, 5.0})
    if (raw <= factor * unit) return factor * unit;
  return 10 * unit;
}

}  // namespace kb::report
