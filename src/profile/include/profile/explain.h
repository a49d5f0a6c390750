#pragma once

#include "record/policy.h"
#include "record/profile.h"

namespace kb::profile {

// What holds a candidate back (docs/profile.md).
enum class Limiter {
  // On a GPU.
  kMemory,         // bandwidth near what was measured
  kCompute,        // operations near what was measured
  kLaunches,       // many small kernels, and what is between them
  kCopies,         // copies and fills by CUDA's functions
  kSpills,         // registers that live in memory
  kParallelism,    // fewer blocks than the GPU has processors
  kOccupancy,      // few threads a processor
  kLatency,        // none of these: the way it uses memory and instructions
  kUncoalesced,    // of which counters say that bytes are fetched for nothing
  kBankConflicts,  // or that shared memory is used by one bank at a time
  // On cpu.
  kHost,     // the interpreter and PyTorch's bindings
  kWaiting,  // threads that wait for others
  kSystem,   // pages and other work of the kernel
  kSerial,   // one processor of several
  kCode,     // the hottest function
};
const char* LimiterName(Limiter limiter);

// What is known of one call beside what its process says.
struct Grounds {
  record::Yardstick yardstick;
  record::Precision precision = record::Precision::kFp32;
  double bytes = 0;    // of its tensors; 0: not known
  double flops = 0;    // that the problem states; 0: not known
  double time_us = 0;  // certified device time; 0: nothing was timed
  double wall_us = 0;  // one call after the other; 0: the same
};

// Names the limiter and says in a sentence each what the figures that decide
// mean. Pure.
record::Profile Explain(record::Activity activity, const Grounds& grounds);

}  // namespace kb::profile
