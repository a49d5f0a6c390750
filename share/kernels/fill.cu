// Poison, mixed inputs, and inputs of other distributions.
#include "launch.h"
#include "redraw.h"

namespace kb::kernels {

template <typename T>
__device__ void PoisonAll(typename T::Bits* data, Index elements, Word64 seed) {
  constexpr int kCount = 16 / sizeof(typename T::Bits);
  using PackT = Pack<typename T::Bits, kCount>;
  const Index packs = IsPackAligned(data) ? elements / kCount : 0;
  for (Index p = FirstPlace(); p < packs; p += Stride()) {
    // Both words of a pack are drawn once, not for every element.
    const Word64 place = static_cast<Word64>(p) * 2;
    const Word64 words[2] = {Draw(seed, place), Draw(seed, place + 1)};
    PackT pack;
#pragma unroll
    for (int j = 0; j < kCount; ++j)
      pack.at[j] = PoisonOf<T>(words[j / (kCount / 2)], j);
    reinterpret_cast<PackT*>(data)[p] = pack;
  }
  for (Index i = packs * kCount + FirstPlace(); i < elements; i += Stride())
    data[i] = PoisonAt<T>(seed, i);
}

template <typename T>
__device__ void MixAll(typename T::Bits* data, Index elements, Word64 seed) {
  constexpr int kCount = 16 / sizeof(typename T::Bits);
  using PackT = Pack<typename T::Bits, kCount>;
  const Index packs = IsPackAligned(data) ? elements / kCount : 0;
  for (Index p = FirstPlace(); p < packs; p += Stride()) {
    PackT pack = reinterpret_cast<const PackT*>(data)[p];
#pragma unroll
    for (int j = 0; j < kCount; ++j)
      pack.at[j] = MixAt<T>(pack.at[j], seed, p * kCount + j);
    reinterpret_cast<PackT*>(data)[p] = pack;
  }
  for (Index i = packs * kCount + FirstPlace(); i < elements; i += Stride())
    data[i] = MixAt<T>(data[i], seed, i);
}

template <typename T>
__device__ void RedrawAll(typename T::Bits* data, Index elements,
                          const Redrawing& how) {
  for (Index i = FirstPlace(); i < elements; i += Stride())
    data[i] = RedrawnAt<T>(how, i, data[SourceOf(how, i)]);
}

}  // namespace kb::kernels

#define KB_FILL(verb, All, name, T)                                          \
  extern "C" __global__ void __launch_bounds__(kb::kernels::kThreads)        \
      verb##_##name(kb::kernels::T::Bits* data, kb::kernels::Index elements, \
                    kb::kernels::Word64 seed) {                              \
    kb::kernels::All<kb::kernels::T>(data, elements, seed);                  \
  }

KB_FILL(poison, PoisonAll, bool, Bool)
KB_FILL(poison, PoisonAll, uint8, UInt8)
KB_FILL(poison, PoisonAll, int8, Int8)
KB_FILL(poison, PoisonAll, int16, Int16)
KB_FILL(poison, PoisonAll, int32, Int32)
KB_FILL(poison, PoisonAll, int64, Int64)
KB_FILL(poison, PoisonAll, float16, Float16)
KB_FILL(poison, PoisonAll, bfloat16, BFloat16)
KB_FILL(poison, PoisonAll, float32, Float32)
KB_FILL(poison, PoisonAll, float64, Float64)
KB_FILL(poison, PoisonAll, float8_e4m3fn, Float8E4M3)
KB_FILL(poison, PoisonAll, float8_e5m2, Float8E5M2)
KB_FILL(mix, MixAll, float16, Float16)
KB_FILL(mix, MixAll, bfloat16, BFloat16)
KB_FILL(mix, MixAll, float32, Float32)
KB_FILL(mix, MixAll, float64, Float64)
KB_FILL(mix, MixAll, float8_e4m3fn, Float8E4M3)
KB_FILL(mix, MixAll, float8_e5m2, Float8E5M2)

#define KB_REDRAW(name, T)                                                   \
  extern "C" __global__ void __launch_bounds__(kb::kernels::kThreads)        \
      redraw_##name(kb::kernels::T::Bits* data, kb::kernels::Index elements, \
                    kb::kernels::Redrawing how) {                            \
    kb::kernels::RedrawAll<kb::kernels::T>(data, elements, how);             \
  }

KB_REDRAW(int32, Int32)
KB_REDRAW(int64, Int64)
KB_REDRAW(float16, Float16)
KB_REDRAW(bfloat16, BFloat16)
KB_REDRAW(float32, Float32)
KB_REDRAW(float64, Float64)
KB_REDRAW(float8_e4m3fn, Float8E4M3)
KB_REDRAW(float8_e5m2, Float8E5M2)
