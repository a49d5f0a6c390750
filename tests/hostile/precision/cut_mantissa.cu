// expect: incorrect cpu=not_run
// problem: level1/19
// tricks: P03
// twin: ../twins/relu.cu
// about: Half of the mantissa is cut off.
#include <cuda_runtime.h>
#include <kernelbench/candidate.h>

namespace {

__global__ void Cut(const float* x, float* y, int64_t n) {
  const int64_t stride = int64_t{gridDim.x} * blockDim.x;
  for (int64_t i = blockIdx.x * int64_t{blockDim.x} + threadIdx.x; i < n;
       i += stride) {
    const float v = x[i] < 0.0f ? 0.0f : x[i];
    y[i] = __uint_as_float(__float_as_uint(v) & 0xfffff000u);
  }
}

}  // namespace

int kb_forward(const kb_call* call) {
  const float* x = kb::input<float>(call, 0);
  float* y = kb::output<float>(call);
  const int64_t n = kb::numel(call->outputs[0]);
  const auto stream = static_cast<cudaStream_t>(call->stream);
  Cut<<<1024, 256, 0, stream>>>(x, y, n);
  return cudaGetLastError();
}
