// expect: not_certified|incorrect cpu=not_run
// problem: level1/19
// tricks: T01
// twin: ../twins/relu.cu
// about: Does the last tenth on a stream of low priority.
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
  static cudaStream_t side = nullptr;
  if (side == nullptr) cudaStreamCreateWithPriority(&side, cudaStreamNonBlocking, 0);
  const int64_t most = n / 10 * 9;
  Relu<<<1024, 256, 0, stream>>>(x, y, most);
  Relu<<<128, 256, 0, side>>>(x + most, y + most, n - most);
  return cudaGetLastError();
}
