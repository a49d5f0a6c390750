// expect: incorrect cpu=not_run
// problem: level1/89
// about: A race: warps read the totals of other warps before those are written.
#include <cuda_runtime.h>
#include <kernelbench/candidate.h>

constexpr int kThreads = 512;

__global__ void CumsumKernel(const float* x, float* y, int64_t length) {
  __shared__ float totals[kThreads / 32];
  const int warp = threadIdx.x / 32;
  const int lane = threadIdx.x % 32;
  float carry = 0.0f;
  for (int64_t tile = 0; tile < length; tile += kThreads) {
    const int64_t i = tile + threadIdx.x;
    const float own = i < length ? x[blockIdx.x * length + i] : 0.0f;
    float sum = own;
    for (int step = 1; step < 32; step *= 2) {
      const float left = __shfl_up_sync(~0u, sum, step);
      if (lane >= step) sum += left;
    }
    if (lane == 31) totals[warp] = sum;
    // Here __syncthreads() is missing, and again at the end of the loop.
    float before = carry;
    for (int w = 0; w < kThreads / 32; ++w) {
      if (w < warp) before += totals[w];
      carry += totals[w];
    }
    if (i < length) y[blockIdx.x * length + i] = before + sum;
  }
}

int kb_forward(const kb_call* call) {
  const DLTensor& y = call->outputs[0];
  CumsumKernel<<<static_cast<unsigned>(y.shape[0]), kThreads, 0,
                 static_cast<cudaStream_t>(call->stream)>>>(
      kb::input<float>(call, 0), kb::output<float>(call), y.shape[1]);
  return cudaGetLastError();
}
