// problem: level1/19
#include <kernelbench/candidate.h>

__global__ void Relu(const float* x, float* y, long n) {
  for (long i = blockIdx.x * long(blockDim.x) + threadIdx.x; i < n;
       i += long(gridDim.x) * blockDim.x)
    y[i] = x[i] > 0 ? x[i] : 0;
}

extern "C" int kb_forward(const kb_call* call) {
  const long n = kb::numel(call->outputs[0]);
  Relu<<<1024, 256, 0, static_cast<cudaStream_t>(call->stream)>>>(
      kb::input<float>(call, 0), kb::output<float>(call), n);
  return cudaGetLastError();
}
