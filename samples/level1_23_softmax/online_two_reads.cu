// expect: correct cpu=not_run
// problem: level1/23
// about: One block per row: online maximum and sum, then a scaling pass.
#include <cuda_runtime.h>
#include <kernelbench/candidate.h>

#include <cfloat>

namespace {

constexpr int kThreads = 1024;
constexpr int kWarps = kThreads / 32;

template <int kWidth>
struct alignas(4 * kWidth) Pack {
  float v[kWidth];
};

// The sum of exp(x - max) over the elements seen so far.
struct Running {
  float max = -FLT_MAX;
  float sum = 0.0f;
};

__device__ Running Merge(Running a, Running b) {
  const float max = fmaxf(a.max, b.max);
  return {max, a.sum * __expf(a.max - max) + b.sum * __expf(b.max - max)};
}

__device__ Running WarpMerge(Running r) {
  for (int lane = 16; lane > 0; lane /= 2)
    r = Merge(r, {__shfl_xor_sync(~0u, r.max, lane),
                  __shfl_xor_sync(~0u, r.sum, lane)});
  return r;
}

__device__ Running BlockMerge(Running r) {
  __shared__ Running warps[kWarps];
  r = WarpMerge(r);
  if (threadIdx.x % 32 == 0) warps[threadIdx.x / 32] = r;
  __syncthreads();
  return WarpMerge(warps[threadIdx.x % 32]);  // kWarps is 32
}

template <int kWidth>
__global__ void __launch_bounds__(kThreads)
    SoftmaxKernel(const float* __restrict__ x, float* __restrict__ y,
                  int64_t dim) {
  using Vector = Pack<kWidth>;
  const auto* in = reinterpret_cast<const Vector*>(x + blockIdx.x * dim);
  auto* out = reinterpret_cast<Vector*>(y + blockIdx.x * dim);
  const int count = static_cast<int>(dim / kWidth);

  Running running;
  for (int i = threadIdx.x; i < count; i += kThreads) {
    const Vector e = in[i];
    Running next = {e.v[0], 0.0f};
    for (int k = 1; k < kWidth; ++k) next.max = fmaxf(next.max, e.v[k]);
    for (int k = 0; k < kWidth; ++k) next.sum += __expf(e.v[k] - next.max);
    running = Merge(running, next);
  }
  running = BlockMerge(running);

  const float scale = 1.0f / running.sum;
  // Backwards: the end of the row is what the L2 cache still holds.
  for (int i = count - 1 - threadIdx.x; i >= 0; i -= kThreads) {
    Vector e = in[i];
    for (int k = 0; k < kWidth; ++k)
      e.v[k] = __expf(e.v[k] - running.max) * scale;
    out[i] = e;
  }
}

}  // namespace

int kb_forward(const kb_call* call) {
  const DLTensor& y = call->outputs[0];
  const auto rows = static_cast<unsigned>(y.shape[0]);
  const int64_t dim = y.shape[1];
  const auto kernel = dim % 4 == 0 ? SoftmaxKernel<4> : SoftmaxKernel<1>;
  kernel<<<rows, kThreads, 0, static_cast<cudaStream_t>(call->stream)>>>(
      kb::input<float>(call, 0), kb::output<float>(call), dim);
  return cudaGetLastError();
}
