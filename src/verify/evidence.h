#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "verify/diagnose.h"

namespace kb::verify {

// A window with what every detector needs to know of it.
struct Evidence {
  explicit Evidence(const Window& of);

  const Window& window;
  int64_t elements = 0;
  int64_t wrong_count = 0;
  std::vector<uint8_t> wrong;  // 1: outside the tolerance
  std::vector<int64_t> steps;  // elements from one index to the next, by
                               // dimension
  int64_t first = 0;           // flat index in the output of element 0
  int64_t whole_elements = 1;
  bool complete = false;     // nothing wrong lies outside the window
  bool reaches_end = false;  // the window's last element is the output's

  size_t rank() const { return window.shape.size(); }
  // All indices of the dimension lie in the window.
  bool Whole(size_t dimension) const {
    return window.shape[dimension] == window.whole_shape[dimension];
  }
};

// The rule of Kernels::Compare: NaN agrees with NaN only, inf with the same
// inf.
bool Within(double expected, double actual, const record::Tolerance& tolerance);

}  // namespace kb::verify
