#include "stats/student.h"

#include <cmath>
#include <numbers>

#include "base/check.h"

namespace kb::stats {
namespace {

// P(|T| < t).
double Within(double t, int64_t freedom) {
  const auto degrees = static_cast<double>(freedom);
  const double angle = std::atan(t / std::sqrt(degrees));
  const double cosine = std::cos(angle);
  const bool odd = freedom % 2 == 1;
  double term = odd ? cosine : 1;
  double sum = freedom == 1 ? 0 : term;
  for (int64_t k = odd ? 3 : 2; k < freedom; k += 2) {
    const auto factor = static_cast<double>(k);
    term *= cosine * cosine * (factor - 1) / factor;
    sum += term;
  }
  sum *= std::sin(angle);
  return odd ? 2 / std::numbers::pi * (angle + sum) : sum;
}

}  // namespace

double StudentOf95(int64_t freedom) {
  KB_CHECK(freedom >= 1);
  constexpr double kConfidence = 0.95;
  double below = 0, above = 16;  // of one degree: 12.7
  while (above - below > 1e-10) {
    const double middle = (below + above) / 2;
    (Within(middle, freedom) < kConfidence ? below : above) = middle;
  }
  return (below + above) / 2;
}

double ExpandedTail(int64_t items) {
  KB_CHECK(items >= 2);
  const auto n = static_cast<double>(items);
  const double deviations = std::sqrt(n / (n - 1)) * StudentOf95(items - 1);
  return std::erfc(deviations / std::numbers::sqrt2) / 2;
}

}  // namespace kb::stats
