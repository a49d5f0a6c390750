// profile: pack=1 problem=level1/1 limiter=latency hottest=Relu:1 count=1 shared=4096 block=32
// The 32 threads of a warp use one bank of shared memory, again and again.
#include <cuda_runtime.h>
#include <kernelbench/candidate.h>

__global__ void Relu(const float* x, float* y) {
  __shared__ volatile float kept[1024];
  const size_t i = size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  float v = x[i];
  for (int k = 0; k < 64; ++k) {
    kept[threadIdx.x * 32 + (k & 31)] = v;
    v = kept[threadIdx.x * 32 + (k & 31)];
  }
  y[i] = v < 0.0f ? 0.0f : v;
}

int kb_forward(const kb_call* call) {
  const int64_t n = kb::numel(call->outputs[0]);
  Relu<<<n / 32, 32, 0, static_cast<cudaStream_t>(call->stream)>>>(
      kb::input<float>(call, 0), kb::output<float>(call));
  return cudaGetLastError();
}
