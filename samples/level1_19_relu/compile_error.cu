// expect: compile_error
// problem: level1/19
// about: A kernel that does not compile: the tail index is never declared.
#include <cuda_runtime.h>
#include <kernelbench/candidate.h>

__global__ void ReluKernel(const float* x, float* y, int64_t n) {
  const int64_t i = blockIdx.x * int64_t{256} + threadIdx.x;
  if (i < n) y[i] = fmaxf(x[j], 0.0f);
}

int kb_forward(const kb_call* call) {
  const int64_t n = kb::numel(call->outputs[0]);
  ReluKernel<<<static_cast<unsigned>((n + 255) / 256), 256, 0,
               static_cast<cudaStream_t>(call->stream)>>>(
      kb::input<float>(call, 0), kb::output<float>(call), n);
  return cudaGetLastError();
}
