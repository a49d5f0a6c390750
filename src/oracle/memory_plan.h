#pragma once

#include <cstddef>
#include <cstdint>

namespace kb::oracle {

// What one call's tensors take.
struct CallBytes {
  uint64_t inputs = 0;
  uint64_t weights = 0;
  uint64_t outputs = 0;
};

// How many calls have places of their own for inputs and outputs: what chains
// need, for calls that take no longer than moving their bytes does. Short calls
// want long chains, and have small tensors. No more than a quarter of what is
// free; where there are several, their inputs are kept a second time.
size_t SlotsFor(const CallBytes& call, uint64_t free_bytes, bool cuda);

// Device memory of one problem, in bytes.
struct Needs {
  uint64_t weights = 0;
  uint64_t inputs = 0;   // of one call
  uint64_t outputs = 0;  // of one call
  uint64_t forward = 0;  // Nature::forward_bytes
  size_t slots = 1;      // calls of a chain
};

// For the pool that a Python process makes its tensors in: the outputs of a
// chain's calls, and what else the reference's forward holds. All twice, for a
// candidate that needs more and for memory that moves, where that is a sixth of
// what is free: both sides have a pool, and a candidate wants memory of its
// own. At least what the outputs want, where that leaves the candidate half as
// much: `pools` are still to be made, this one among them. Room for a second
// forward only where it is left beside one of the oracle's, or that would find
// none.
uint64_t PoolBytes(const Needs& needs, uint64_t free_bytes, uint64_t pools);

// The same on cpu, where only what is as large as an output is made in it: the
// outputs of a chain's calls, and as much three times for what forward makes on
// its way to them.
uint64_t PoolBytesOnCpu(const Needs& needs, uint64_t free_bytes);

// Whether the reference can run in float64 beside both pools and a candidate
// that keeps inputs and outputs of its own. `free_bytes`: before any of them.
bool FitsInDouble(const Needs& needs, uint64_t free_bytes);

}  // namespace kb::oracle
