// Comparison of an output with what was expected. Each block leaves one Partial
// in `partials`; the host merges them in order, so a result never depends on
// scheduling.
#include "launch.h"
#include "tally.h"

namespace kb::kernels {

// Leaves the block's sum in partials[blockIdx.x].
__device__ void ReduceBlock(const Partial& mine, Partial* partials) {
  __shared__ Partial parts[kThreads];
  const unsigned me = threadIdx.x;
  parts[me] = mine;
  __syncthreads();
  for (unsigned half = kThreads / 2; half > 0; half /= 2) {
    if (me < half) MergeInto(&parts[me], parts[me + half]);
    __syncthreads();
  }
  if (me == 0) partials[blockIdx.x] = parts[0];
}

template <typename E, typename A>
__device__ void CompareAll(const typename E::Bits* expected,
                           const typename A::Bits* actual, Index elements,
                           const Rule& rule, Partial* partials) {
  constexpr int kCount = 16 / sizeof(typename A::Bits);
  using PackE = Pack<typename E::Bits, kCount>;
  using PackA = Pack<typename A::Bits, kCount>;
  const bool aligned = IsPackAligned(expected) && IsPackAligned(actual);
  const Index packs = aligned ? elements / kCount : 0;
  Partial mine = EmptyPartial();
  for (Index p = FirstPlace(); p < packs; p += Stride()) {
    const PackE e = reinterpret_cast<const PackE*>(expected)[p];
    const PackA a = reinterpret_cast<const PackA*>(actual)[p];
#pragma unroll
    for (int j = 0; j < kCount; ++j)
      Observe<E, A>(&mine, p * kCount + j, e.at[j], a.at[j], rule);
  }
  for (Index i = packs * kCount + FirstPlace(); i < elements; i += Stride())
    Observe<E, A>(&mine, i, expected[i], actual[i], rule);
  ReduceBlock(mine, partials);
}

}  // namespace kb::kernels

#define KB_COMPARE(name, E, A)                                            \
  extern "C" __global__ void __launch_bounds__(kb::kernels::kThreads)     \
      compare_##name(const kb::kernels::E::Bits* expected,                \
                     const kb::kernels::A::Bits* actual,                  \
                     kb::kernels::Index elements, kb::kernels::Rule rule, \
                     kb::kernels::Partial* partials) {                    \
    kb::kernels::CompareAll<kb::kernels::E, kb::kernels::A>(              \
        expected, actual, elements, rule, partials);                      \
  }

KB_COMPARE(bool, Bool, Bool)
KB_COMPARE(uint8, UInt8, UInt8)
KB_COMPARE(int8, Int8, Int8)
KB_COMPARE(int16, Int16, Int16)
KB_COMPARE(int32, Int32, Int32)
KB_COMPARE(int64, Int64, Int64)
KB_COMPARE(float16, Float16, Float16)
KB_COMPARE(bfloat16, BFloat16, BFloat16)
KB_COMPARE(float32, Float32, Float32)
KB_COMPARE(float64, Float64, Float64)
KB_COMPARE(float64_float16, Float64, Float16)
KB_COMPARE(float64_bfloat16, Float64, BFloat16)
KB_COMPARE(float64_float32, Float64, Float32)
