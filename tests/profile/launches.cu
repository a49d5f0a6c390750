// profile: pack=1 problem=level1/1 limiter=launches hottest=Relu:1 count=512 grid=128 block=256
// In 512 kernels, one after the other.
#include <cuda_runtime.h>
#include <kernelbench/candidate.h>

__global__ void Relu(const float* x, float* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  y[i] = x[i] < 0.0f ? 0.0f : x[i];
}

int kb_forward(const kb_call* call) {
  constexpr int kParts = 512;
  const int64_t part = kb::numel(call->outputs[0]) / kParts;
  for (int i = 0; i < kParts; ++i)
    Relu<<<part / 256, 256, 0, static_cast<cudaStream_t>(call->stream)>>>(
        kb::input<float>(call, 0) + i * part,
        kb::output<float>(call) + i * part);
  return cudaGetLastError();
}
