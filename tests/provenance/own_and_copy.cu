// Copies its input, and then works in place: part copies, part its own.
#include <cuda_runtime.h>
#include <kernelbench/candidate.h>

__global__ void Relu(float* y, int64_t n) {
  const int64_t i = int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < n && y[i] < 0.0f) y[i] = 0.0f;
}

int kb_forward(const kb_call* call) {
  const int64_t n = kb::numel(call->outputs[0]);
  const auto blocks = static_cast<unsigned>((n + 255) / 256);
  const auto stream = static_cast<cudaStream_t>(call->stream);
  float* y = kb::output<float>(call);
  cudaMemcpyAsync(y, kb::input<float>(call, 0), 4 * n,
                  cudaMemcpyDeviceToDevice, stream);
  Relu<<<blocks, 256, 0, stream>>>(y, n);
  return cudaGetLastError();
}
