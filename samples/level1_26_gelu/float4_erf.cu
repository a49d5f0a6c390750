// expect: correct cpu=not_run
// problem: level1/26
// about: Exact GELU with erff, 16 bytes per access, still memory-bound.
#include <cuda_runtime.h>
#include <kernelbench/candidate.h>

namespace {

constexpr int kThreads = 256;

__device__ float Gelu(float x) {
  constexpr float kInvSqrt2 = 0.70710678118654752f;
  return 0.5f * x * (1.0f + erff(x * kInvSqrt2));
}

__global__ void __launch_bounds__(kThreads)
    GeluKernel(const float* __restrict__ x, float* __restrict__ y, int64_t n) {
  const int64_t i = 4 * (blockIdx.x * int64_t{kThreads} + threadIdx.x);
  if (i + 4 <= n) {
    float4 v = __ldcs(reinterpret_cast<const float4*>(x + i));
    v.x = Gelu(v.x);
    v.y = Gelu(v.y);
    v.z = Gelu(v.z);
    v.w = Gelu(v.w);
    __stcs(reinterpret_cast<float4*>(y + i), v);
  } else {
    for (int64_t j = i; j < n; ++j) y[j] = Gelu(x[j]);
  }
}

}  // namespace

int kb_forward(const kb_call* call) {
  const int64_t n = kb::numel(call->outputs[0]);
  const int64_t per_block = 4 * kThreads;
  const auto blocks = static_cast<unsigned>((n + per_block - 1) / per_block);
  GeluKernel<<<blocks, kThreads, 0, static_cast<cudaStream_t>(call->stream)>>>(
      kb::input<float>(call, 0), kb::output<float>(call), n);
  return cudaGetLastError();
}
