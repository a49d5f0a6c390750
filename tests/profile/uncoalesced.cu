// profile: pack=1 problem=level1/1 limiter=latency hottest=Relu:1 count=1
// Neighbouring threads read and write 16 KiB apart.
#include <cuda_runtime.h>
#include <kernelbench/candidate.h>

__global__ void Relu(const float* x, float* y, int64_t n) {
  constexpr int64_t kApart = 4096;
  const int64_t t = int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const int64_t rows = n / kApart;
  const int64_t i = (t % rows) * kApart + t / rows;
  y[i] = x[i] < 0.0f ? 0.0f : x[i];
}

int kb_forward(const kb_call* call) {
  const int64_t n = kb::numel(call->outputs[0]);
  Relu<<<n / 256, 256, 0, static_cast<cudaStream_t>(call->stream)>>>(
      kb::input<float>(call, 0), kb::output<float>(call), n);
  return cudaGetLastError();
}
