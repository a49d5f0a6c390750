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

// Leaves the block's sum in counts[blockIdx.x].
__device__ inline void SumBlock(Word64 mine, Word64* counts) {
  __shared__ Word64 parts[kThreads];
  const unsigned me = threadIdx.x;
  parts[me] = mine;
  __syncthreads();
  for (unsigned half = kThreads / 2; half > 0; half /= 2) {
    if (me < half) parts[me] += parts[me + half];
    __syncthreads();
  }
  if (me == 0) counts[blockIdx.x] = parts[0];
}

// Calls look->See(i, e, a) for every pair of elements, by packs where both are
// aligned. (No lambda: NVRTC 13.0 takes one for a function of the host.)
template <typename E, typename A, typename Look>
__device__ void LookAtPairs(const E* expected, const A* actual, Index elements,
                            Look* look) {
  constexpr int kCount = 16 / sizeof(A);
  using PackE = Pack<E, kCount>;
  using PackA = Pack<A, kCount>;
  const bool aligned = IsPackAligned(expected) && IsPackAligned(actual);
  const Index packs = aligned ? elements / kCount : 0;
  for (Index p = FirstPlace(); p < packs; p += Stride()) {
    const PackE e = reinterpret_cast<const PackE*>(expected)[p];
    const PackA a = reinterpret_cast<const PackA*>(actual)[p];
#pragma unroll
    for (int j = 0; j < kCount; ++j) look->See(p * kCount + j, e.at[j], a.at[j]);
  }
  for (Index i = packs * kCount + FirstPlace(); i < elements; i += Stride())
    look->See(i, expected[i], actual[i]);
}
#endif

}  // namespace kb::kernels
