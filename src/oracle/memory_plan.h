#pragma once

#include <cstddef>
#include <cstdint>

namespace kb::oracle {

// Device memory of one problem, in bytes.
struct Needs {
  uint64_t weights = 0;
  uint64_t inputs = 0;   // of one call
  uint64_t outputs = 0;  // of one call
  uint64_t forward = 0;  // the peak of the reference's, its outputs included
  size_t slots = 1;      // calls of a chain
};

// For the pool that a Python process makes its tensors in: the outputs of a
// chain's calls, and what else the reference's forward holds. All twice, for a
// candidate that needs more and for memory that moves, where that is a sixth of
// what is free: both sides have a pool, and a candidate wants memory of its
// own. At least what the outputs want, where that is a fair share: `pools` are
// still to be made, this one among them.
uint64_t PoolBytes(const Needs& needs, uint64_t free_bytes, uint64_t pools);

// Whether the reference can run in float64 beside both pools and a candidate
// that keeps inputs and outputs of its own. `free_bytes`: before any of them.
bool FitsInDouble(const Needs& needs, uint64_t free_bytes);

}  // namespace kb::oracle
