#include "evidence.h"

#include <cmath>

#include "base/check.h"

namespace kb::verify {

Evidence::Evidence(const Window& of)
    : window(of), elements(static_cast<int64_t>(of.expected.size())) {
  KB_CHECK(of.actual.size() == of.expected.size());
  KB_CHECK(of.unwritten.empty() || of.unwritten.size() == of.actual.size());
  KB_CHECK(of.shape.size() == of.whole_shape.size() &&
           of.shape.size() == of.origin.size());
  steps.resize(rank());
  int64_t count = 1;
  for (size_t d = rank(); d-- > 0;) {
    steps[d] = count;
    first += of.origin[d] * whole_elements;
    count *= of.shape[d];
    whole_elements *= of.whole_shape[d];
  }
  KB_CHECK(count == elements);
  wrong.resize(of.expected.size());
  for (size_t i = 0; i < wrong.size(); ++i) {
    wrong[i] = !Within(of.expected[i], of.actual[i], of.tolerance);
    wrong_count += wrong[i];
  }
  complete = wrong_count >= of.wrong_in_all;
  reaches_end = first + elements == whole_elements;
}

bool Within(double expected, double actual,
            const record::Tolerance& tolerance) {
  if (std::isnan(expected) && std::isnan(actual)) return true;
  if (std::isinf(expected) || std::isinf(actual)) return expected == actual;
  return std::abs(actual - expected) <=
         tolerance.atol + tolerance.rtol * std::abs(expected);
}

}  // namespace kb::verify
