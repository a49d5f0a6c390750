// expect: correct cpu=not_run
// problem: level1/19
// tricks: G15
// about: Loads and stores that do not stay in the cache.
#include <cuda_runtime.h>
#include <kernelbench/candidate.h>

namespace {

__global__ void Streaming(const float* x, float* y, int64_t n) {
  const int64_t stride = int64_t{gridDim.x} * blockDim.x;
  for (int64_t i = blockIdx.x * int64_t{blockDim.x} + threadIdx.x; i < n;
       i += stride) {
    const float v = __ldcs(x + i);
    __stcs(y + i, v < 0.0f ? 0.0f : v);
  }
}

}  // namespace

int kb_forward(const kb_call* call) {
  const float* x = kb::input<float>(call, 0);
  float* y = kb::output<float>(call);
  const int64_t n = kb::numel(call->outputs[0]);
  const auto stream = static_cast<cudaStream_t>(call->stream);
  Streaming<<<1024, 256, 0, stream>>>(x, y, n);
  return cudaGetLastError();
}
