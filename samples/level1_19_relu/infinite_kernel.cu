// expect: timeout cpu=not_run
// problem: level1/19
// about: A kernel that never ends: thread 0 waits for a flag that nobody sets.
// limits: call_seconds=3
#include <cuda_runtime.h>
#include <kernelbench/candidate.h>

__device__ volatile int ready = 0;

__global__ void ReluKernel(const float* x, float* y, int64_t n) {
  while (ready == 0) {
  }
  const int64_t i = blockIdx.x * int64_t{256} + threadIdx.x;
  if (i < n) y[i] = x[i] < 0.0f ? 0.0f : x[i];
}

int kb_forward(const kb_call* call) {
  const int64_t n = kb::numel(call->outputs[0]);
  ReluKernel<<<static_cast<unsigned>((n + 255) / 256), 256, 0,
               static_cast<cudaStream_t>(call->stream)>>>(
      kb::input<float>(call, 0), kb::output<float>(call), n);
  return cudaGetLastError();
}
