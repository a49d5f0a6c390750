// expect: correct cpu=not_run
// problem: level1/19
// tricks: G20
// about: The maximum as an instruction of PTX.
#include <cuda_runtime.h>
#include <kernelbench/candidate.h>

namespace {

__global__ void Inline(const float* x, float* y, int64_t n) {
  const int64_t stride = int64_t{gridDim.x} * blockDim.x;
  for (int64_t i = blockIdx.x * int64_t{blockDim.x} + threadIdx.x; i < n;
       i += stride) {
    float v = x[i];
    asm("max.NaN.f32 %0, %0, 0f00000000;" : "+f"(v));
    y[i] = v;
  }
}

}  // namespace

int kb_forward(const kb_call* call) {
  const float* x = kb::input<float>(call, 0);
  float* y = kb::output<float>(call);
  const int64_t n = kb::numel(call->outputs[0]);
  const auto stream = static_cast<cudaStream_t>(call->stream);
  Inline<<<1024, 256, 0, stream>>>(x, y, n);
  return cudaGetLastError();
}
