#pragma once

#include <cstddef>
#include <vector>

namespace kb::candidate {

// Where one output of a call lies.
struct OutputPlace {
  const std::byte* data = nullptr;
  size_t bytes = 0;
  size_t call = 0;
};

// Whether outputs of two calls have a byte in common. Those of one call may.
bool CallsShareMemory(std::vector<OutputPlace> outputs);

}  // namespace kb::candidate
