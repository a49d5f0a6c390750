// Keeps the device for the process that launched it.
#include "bits.h"

namespace {

__device__ kb::kernels::Word64 Nanoseconds() {
  kb::kernels::Word64 now;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
  return now;
}

}  // namespace

// One thread that says it is there and stays until `leave` has reached
// `number`, at most `nanoseconds`. Both words are host memory.
extern "C" __global__ void stay(volatile kb::kernels::Word32* there,
                                const volatile kb::kernels::Word32* leave,
                                kb::kernels::Word32 number,
                                kb::kernels::Word64 nanoseconds) {
  const kb::kernels::Word64 start = Nanoseconds();
  *there = number;
  while (*leave < number && Nanoseconds() - start < nanoseconds) {
  }
}
