// Comparison of an output with what was expected. Each block leaves one Partial
// in `partials`; merge_partials adds them up in order, so a result never depends
// on scheduling.
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
struct Observing {
  Rule rule;
  Partial mine;
  __device__ void See(Index i, typename E::Bits e, typename A::Bits a) {
    Observe<E, A>(&mine, i, e, a, rule);
  }
};

template <typename E, typename A>
__device__ void CompareAll(const typename E::Bits* expected,
                           const typename A::Bits* actual, Index elements,
                           const Rule& rule, Partial* partials) {
  Observing<E, A> look{rule, EmptyPartial()};
  LookAtPairs(expected, actual, elements, &look);
  ReduceBlock(look.mine, partials);
}

// How many are wrong, and nothing else: what an honest answer is asked, at a
// few times the speed.
template <typename E, typename A>
struct Counting {
  Rule rule;
  Word64 wrong;
  __device__ void See(Index, typename E::Bits e, typename A::Bits a) {
    if (IsWrong<E, A>(e, a, rule)) ++wrong;
  }
};

template <typename E, typename A>
__device__ void CountWrong(const typename E::Bits* expected,
                           const typename A::Bits* actual, Index elements,
                           const Rule& rule, Word64* counts) {
  Counting<E, A> look{rule, 0};
  LookAtPairs(expected, actual, elements, &look);
  SumBlock(look.wrong, counts);
}

template <typename E, typename A>
struct Measuring {
  ErrorPart mine;
  __device__ void See(Index, typename E::Bits e, typename A::Bits a) {
    ObserveError<E, A>(&mine, e, a);
  }
};

template <typename E, typename A>
__device__ void MeasureErrors(const typename E::Bits* expected,
                              const typename A::Bits* actual, Index elements,
                              ErrorPart* errors) {
  __shared__ ErrorPart parts[kThreads];
  Measuring<E, A> look{};
  LookAtPairs(expected, actual, elements, &look);
  const unsigned me = threadIdx.x;
  parts[me] = look.mine;
  __syncthreads();
  for (unsigned half = kThreads / 2; half > 0; half /= 2) {
    if (me < half) MergeErrors(&parts[me], parts[me + half]);
    __syncthreads();
  }
  if (me == 0) errors[blockIdx.x] = parts[0];
}

template <typename E, typename A>
struct Widening {
  double factor;
  bool anew;
  float* slack;
  __device__ void See(Index i, typename E::Bits e, typename A::Bits a) {
    const float wider = SlackOf<E, A>(e, a, factor);
    if (anew || wider > slack[i]) slack[i] = wider;
  }
};

template <typename E, typename A>
__device__ void WidenAll(const typename E::Bits* expected,
                         const typename A::Bits* actual, Index elements,
                         double factor, bool anew, float* slack) {
  Widening<E, A> look{factor, anew, slack};
  LookAtPairs(expected, actual, elements, &look);
}

template <typename E, typename A>
struct ObservingBeyond {
  Rule rule;
  const float* slack;
  Partial mine;
  __device__ void See(Index i, typename E::Bits e, typename A::Bits a) {
    ObserveBeyond<E, A>(&mine, i, e, a, rule, slack[i]);
  }
};

template <typename E, typename A>
__device__ void CompareBeyond(const typename E::Bits* expected,
                              const typename A::Bits* actual, Index elements,
                              const Rule& rule, const float* slack,
                              Partial* partials) {
  ObservingBeyond<E, A> look{rule, slack, EmptyPartial()};
  LookAtPairs(expected, actual, elements, &look);
  ReduceBlock(look.mine, partials);
}

}  // namespace kb::kernels

// By one block: leaves the sum of `count` partials in the first.
extern "C" __global__ void __launch_bounds__(kb::kernels::kThreads)
    merge_partials(kb::kernels::Partial* partials, kb::kernels::Index count) {
  using namespace kb::kernels;
  Partial mine = EmptyPartial();
  for (Index i = threadIdx.x; i < count; i += kThreads)
    MergeInto(&mine, partials[i]);
  __syncthreads();  // all have been read
  ReduceBlock(mine, partials);
}

#define KB_COMPARE(name, E, A)                                            \
  extern "C" __global__ void __launch_bounds__(kb::kernels::kThreads)     \
      compare_##name(const kb::kernels::E::Bits* expected,                \
                     const kb::kernels::A::Bits* actual,                  \
                     kb::kernels::Index elements, kb::kernels::Rule rule, \
                     kb::kernels::Partial* partials) {                    \
    kb::kernels::CompareAll<kb::kernels::E, kb::kernels::A>(              \
        expected, actual, elements, rule, partials);                      \
  }                                                                       \
  extern "C" __global__ void __launch_bounds__(kb::kernels::kThreads)     \
      count_wrong_##name(const kb::kernels::E::Bits* expected,            \
                         const kb::kernels::A::Bits* actual,              \
                         kb::kernels::Index elements,                     \
                         kb::kernels::Rule rule,                          \
                         kb::kernels::Word64* counts) {                   \
    kb::kernels::CountWrong<kb::kernels::E, kb::kernels::A>(              \
        expected, actual, elements, rule, counts);                        \
  }                                                                       \
  extern "C" __global__ void __launch_bounds__(kb::kernels::kThreads)     \
      errors_##name(const kb::kernels::E::Bits* expected,                 \
                    const kb::kernels::A::Bits* actual,                   \
                    kb::kernels::Index elements,                          \
                    kb::kernels::ErrorPart* errors) {                     \
    kb::kernels::MeasureErrors<kb::kernels::E, kb::kernels::A>(           \
        expected, actual, elements, errors);                              \
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
KB_COMPARE(float8_e4m3fn, Float8E4M3, Float8E4M3)
KB_COMPARE(float8_e5m2, Float8E5M2, Float8E5M2)
KB_COMPARE(float64_float16, Float64, Float16)
KB_COMPARE(float64_bfloat16, Float64, BFloat16)
KB_COMPARE(float64_float32, Float64, Float32)
KB_COMPARE(float64_float8_e4m3fn, Float64, Float8E4M3)
KB_COMPARE(float64_float8_e5m2, Float64, Float8E5M2)

// Of types of 16 and 32 bits against float64, where alone elements have a slack.
#define KB_BEYOND(name, E, A)                                               \
  extern "C" __global__ void __launch_bounds__(kb::kernels::kThreads)       \
      widen_##name(const kb::kernels::E::Bits* expected,                    \
                   const kb::kernels::A::Bits* actual,                      \
                   kb::kernels::Index elements, double factor, bool anew,   \
                   float* slack) {                                          \
    kb::kernels::WidenAll<kb::kernels::E, kb::kernels::A>(                  \
        expected, actual, elements, factor, anew, slack);                   \
  }                                                                         \
  extern "C" __global__ void __launch_bounds__(kb::kernels::kThreads)       \
      beyond_##name(const kb::kernels::E::Bits* expected,                   \
                    const kb::kernels::A::Bits* actual,                     \
                    kb::kernels::Index elements, kb::kernels::Rule rule,    \
                    const float* slack, kb::kernels::Partial* partials) {   \
    kb::kernels::CompareBeyond<kb::kernels::E, kb::kernels::A>(             \
        expected, actual, elements, rule, slack, partials);                 \
  }

KB_BEYOND(float64_float16, Float64, Float16)
KB_BEYOND(float64_bfloat16, Float64, BFloat16)
KB_BEYOND(float64_float32, Float64, Float32)
