// How all CUDA kernels here walk over memory: a grid-stride loop over packs of
// 16 bytes where the addresses allow it, then over single elements.
#pragma once

#include "element.h"

namespace kb::kernels {

// Launched with this block size and at most this many blocks.
constexpr int kThreads = 256;
constexpr int kMaxBlocks = 1024;

template <typename Bits, int count>
struct alignas(16) Pack {
  static_assert(sizeof(Bits) * count % 16 == 0);
  Bits at[count];
};

#ifdef __CUDACC_RTC__
__device__ inline Index FirstPlace() {
  return static_cast<Index>(blockIdx.x) * kThreads + threadIdx.x;
}
__device__ inline Index Stride() {
  return static_cast<Index>(gridDim.x) * kThreads;
}
__device__ inline bool IsPackAligned(const void* address) {
  return reinterpret_cast<Word64>(address) % 16 == 0;
}
#endif

}  // namespace kb::kernels
