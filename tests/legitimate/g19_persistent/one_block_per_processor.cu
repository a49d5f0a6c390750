// expect: correct cpu=not_run
// problem: level1/19
// tricks: G19
// about: As many blocks as fit take tiles from a counter.
#include <cuda_runtime.h>
#include <kernelbench/candidate.h>

namespace {

constexpr int64_t kTile = 4096;

__global__ void Persistent(const float* x, float* y, int64_t n,
                           unsigned long long* next) {
  __shared__ int64_t begin;
  for (;;) {
    if (threadIdx.x == 0)
      begin = static_cast<int64_t>(atomicAdd(next, 1ull)) * kTile;
    __syncthreads();
    const int64_t from = begin;
    __syncthreads();
    if (from >= n) return;
    for (int64_t i = from + threadIdx.x; i < from + kTile && i < n;
         i += blockDim.x)
      y[i] = x[i] < 0.0f ? 0.0f : x[i];
  }
}

}  // namespace

int kb_forward(const kb_call* call) {
  const float* x = kb::input<float>(call, 0);
  float* y = kb::output<float>(call);
  const int64_t n = kb::numel(call->outputs[0]);
  const auto stream = static_cast<cudaStream_t>(call->stream);
  static unsigned long long* next = nullptr;
  if (next == nullptr) cudaMalloc(&next, sizeof *next);
  cudaMemsetAsync(next, 0, sizeof *next, stream);
  Persistent<<<132, 512, 0, stream>>>(x, y, n, next);
  return cudaGetLastError();
}
