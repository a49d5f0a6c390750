// expect: runtime_error cpu=not_run
// problem: level1/19
// about: Writes far outside of its buffers; the fault ends this process only.
#include <cuda_runtime.h>
#include <kernelbench/candidate.h>

__global__ void ReluKernel(const float* x, float* y, int64_t n) {
  const int64_t i = blockIdx.x * int64_t{256} + threadIdx.x;
  const int64_t far = int64_t{1} << 42;  // elements: 16 TiB away
  if (i < n) y[i + far] = x[i];
}

int kb_forward(const kb_call* call) {
  const int64_t n = kb::numel(call->outputs[0]);
  ReluKernel<<<static_cast<unsigned>((n + 255) / 256), 256, 0,
               static_cast<cudaStream_t>(call->stream)>>>(
      kb::input<float>(call, 0), kb::output<float>(call), n);
  return cudaGetLastError();
}
