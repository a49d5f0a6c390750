#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "record/policy.h"

namespace kb::verify {

// At most so many elements of an output are looked at for a pattern: 32 MiB of
// doubles a side, a fraction of a second.
constexpr int64_t kMaxWindow = int64_t{1} << 22;

// A stretch of an output, contiguous in memory, on the host: whole rows of one
// dimension (see WindowAt), for an output of at most kMaxWindow elements all of
// it. The spans must outlive it.
struct Window {
  std::span<const double> expected;
  std::span<const double> actual;
  // 1 where the poison is still there. Empty: nowhere.
  std::span<const uint8_t> unwritten;
  std::vector<int64_t> shape;        // of the window
  std::vector<int64_t> origin;       // index of its first element
  std::vector<int64_t> whole_shape;  // of the output
  record::Tolerance tolerance;       // {0, 0} for integers and bool
  int64_t wrong_in_all = 0;          // wrong elements of the whole output
};

// Where a window lies in an output of `whole_shape`.
struct WindowPlace {
  std::vector<int64_t> shape;
  std::vector<int64_t> origin;
  int64_t first = 0;  // flat index of the first element
  int64_t elements = 0;
};
// The window of at most `max_elements` that begins with the row of the flat
// index `first_wrong`; everything when that fits. Rows before it hold nothing
// wrong, so beginning there shows most.
WindowPlace WindowAt(const std::vector<int64_t>& whole_shape,
                     int64_t first_wrong, int64_t max_elements = kMaxWindow);

// In what way the window is wrong, in a person's words: "all zeros", "elements
// from index 1016 of dimension 1 on are wrong: a last tile that is not
// handled?", ... The most specific description that fits all wrong elements.
// Empty when nothing in the window is wrong.
std::string Pattern(const Window& window);

}  // namespace kb::verify
