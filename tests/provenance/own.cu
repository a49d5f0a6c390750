// A kernel of its own: the share of its own code is 1.
#include <cuda_runtime.h>
#include <kernelbench/candidate.h>

__global__ void Relu(const float* x, float* y, int64_t n) {
  const int64_t i = int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] < 0.0f ? 0.0f : x[i];
}

int kb_forward(const kb_call* call) {
  const int64_t n = kb::numel(call->outputs[0]);
  const auto blocks = static_cast<unsigned>((n + 255) / 256);
  Relu<<<blocks, 256, 0, static_cast<cudaStream_t>(call->stream)>>>(
      kb::input<float>(call, 0), kb::output<float>(call), n);
  return cudaGetLastError();
}
