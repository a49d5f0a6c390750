// profile: pack=1 problem=level1/1 limiter=spills hottest=Relu:1 count=1 spills=yes
// Keeps an array of 64 numbers a thread that no register can hold, because it is indexed by what was read.
#include <cuda_runtime.h>
#include <kernelbench/candidate.h>

__global__ void Relu(const float* x, float* y, int64_t n) {
  const int64_t i = int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const float v = x[i];
  float kept[64];
  for (int k = 0; k < 64; ++k) kept[k] = v * static_cast<float>(k);
  int at = __float_as_int(v) & 63;
  float sum = 0.0f;
  for (int round = 0; round < 64; ++round) {
    at = (at * 5 + 17 + round) & 63;
    kept[at] += 1.0f;
    sum += kept[63 - at];
  }
  // Never so: the compiler does not know.
  y[i] = sum == 1234567.0f ? sum : (v < 0.0f ? 0.0f : v);
}

int kb_forward(const kb_call* call) {
  const int64_t n = kb::numel(call->outputs[0]);
  Relu<<<n / 256, 256, 0, static_cast<cudaStream_t>(call->stream)>>>(
      kb::input<float>(call, 0), kb::output<float>(call), n);
  return cudaGetLastError();
}
