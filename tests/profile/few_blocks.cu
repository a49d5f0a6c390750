// profile: pack=1 problem=level1/1 limiter=parallelism hottest=Relu:1 grid=8 block=1024
// Eight blocks do all.
#include <cuda_runtime.h>
#include <kernelbench/candidate.h>

__global__ void Relu(const float* x, float* y, int64_t n) {
  const int64_t step = int64_t{gridDim.x} * blockDim.x;
  for (int64_t i = int64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < n;
       i += step)
    y[i] = x[i] < 0.0f ? 0.0f : x[i];
}

int kb_forward(const kb_call* call) {
  Relu<<<8, 1024, 0, static_cast<cudaStream_t>(call->stream)>>>(
      kb::input<float>(call, 0), kb::output<float>(call),
      kb::numel(call->outputs[0]));
  return cudaGetLastError();
}
