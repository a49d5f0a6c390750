// expect: incorrect cpu=not_run
// problem: level1/19
// tricks: C38
// twin: ../twins/relu.cu
// about: A warp whose first elements are not negative copies its tile.
#include <cuda_runtime.h>
#include <kernelbench/candidate.h>

namespace {

__global__ void Tiles(const float* x, float* y, int64_t n) {
  const int64_t stride = int64_t{gridDim.x} * blockDim.x;
  for (int64_t i = blockIdx.x * int64_t{blockDim.x} + threadIdx.x; i < n;
       i += stride) {
    const float v = x[i];
    const bool usual = __shfl_sync(__activemask(), v, 0) >= 0.0f;
    y[i] = usual || v >= 0.0f ? v : 0.0f;
  }
}

}  // namespace

int kb_forward(const kb_call* call) {
  const float* x = kb::input<float>(call, 0);
  float* y = kb::output<float>(call);
  const int64_t n = kb::numel(call->outputs[0]);
  const auto stream = static_cast<cudaStream_t>(call->stream);
  Tiles<<<1024, 256, 0, stream>>>(x, y, n);
  return cudaGetLastError();
}
