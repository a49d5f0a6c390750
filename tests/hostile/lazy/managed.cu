// expect: incorrect cpu=not_run
// problem: level1/19
// tricks: L08
// twin: ../twins/relu.cu
// about: Fills managed memory and leaves the output to others.
#include <cuda_runtime.h>
#include <kernelbench/candidate.h>

namespace {

__global__ void Relu(const float* x, float* y, int64_t n) {
  const int64_t stride = int64_t{gridDim.x} * blockDim.x;
  for (int64_t i = blockIdx.x * int64_t{blockDim.x} + threadIdx.x; i < n;
       i += stride)
    y[i] = x[i] < 0.0f ? 0.0f : x[i];
}

}  // namespace

int kb_forward(const kb_call* call) {
  const float* x = kb::input<float>(call, 0);
  float* y = kb::output<float>(call);
  const int64_t n = kb::numel(call->outputs[0]);
  const auto stream = static_cast<cudaStream_t>(call->stream);
  static float* managed = nullptr;
  if (managed == nullptr) cudaMallocManaged(&managed, 4 * n);
  Relu<<<1024, 256, 0, stream>>>(x, managed, n);
  if (managed == y) return 1;
  return cudaGetLastError();
}
