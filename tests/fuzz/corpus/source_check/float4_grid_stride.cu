// expect: correct cpu=not_run
// problem: level1/19
// about: 16-byte streaming accesses in a grid-stride loop, tail by block 0.
#include <cuda_runtime.h>
#include <kernelbench/candidate.h>

namespace {

constexpr int kThreads = 512;
constexpr int kUnroll = 4;

// Written so that NaN stays NaN, which fmaxf would turn into 0.
__device__ float Relu(float x) { return x < 0.0f ? 0.0f : x; }

__device__ float4 Relu(float4 v) {
  return make_float4(Relu(v.x), Relu(v.y), Relu(v.z), Relu(v.w));
}

__global__ void __launch_bounds__(kThreads)
    ReluKernel(const float* __restrict__ x, float* __restrict__ y, int64_t n) {
  const auto* x4 = reinterpret_cast<const float4*>(x);
  auto* y4 = reinterpret_cast<float4*>(y);
  const int64_t n4 = n / 4;
  const int64_t tile = kThreads * kUnroll;
  for (int64_t base = blockIdx.x * tile; base < n4; base += gridDim.x * tile) {
    float4 v[kUnroll];  // all loads are in flight before the first store
#pragma unroll
    for (int u = 0; u < kUnroll; ++u) {
      const int64_t i = base + u * kThreads + threadIdx.x;
      if (i < n4) v[u] = __ldcs(x4 + i);
    }
#pragma unroll
    for (int u = 0; u < kUnroll; ++u) {
      const int64_t i = base + u * kThreads + threadIdx.x;
      if (i < n4) __stcs(y4 + i, Relu(v[u]));
    }
  }
  const int64_t tail = n4 * 4 + threadIdx.x;
  if (blockIdx.x == 0 && tail < n) y[tail] = Relu(x[tail]);
}

}  // namespace

int kb_forward(const kb_call* call) {
  constexpr int64_t kMaxBlocks = 132 * 16;
  const int64_t n = kb::numel(call->outputs[0]);
  const int64_t tiles = n / (4 * kThreads * kUnroll) + 1;
  const auto blocks =
      static_cast<unsigned>(tiles < kMaxBlocks ? tiles : kMaxBlocks);
  ReluKernel<<<blocks, kThreads, 0, static_cast<cudaStream_t>(call->stream)>>>(
      kb::input<float>(call, 0), kb::output<float>(call), n);
  return cudaGetLastError();
}
