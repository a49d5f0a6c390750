// expect: timeout cpu=not_run
// problem: level1/19
// tricks: R05
// twin: ../twins/relu.cu
// limits: call_seconds=3
// about: A kernel that never ends.
#include <cuda_runtime.h>
#include <kernelbench/candidate.h>

namespace {

__global__ void Forever(const volatile float* x, float* y, int64_t n) {
  while (x[0] == x[0] || n >= 0) y[0] = y[0] + 1;
}

}  // namespace

int kb_forward(const kb_call* call) {
  const float* x = kb::input<float>(call, 0);
  float* y = kb::output<float>(call);
  const int64_t n = kb::numel(call->outputs[0]);
  const auto stream = static_cast<cudaStream_t>(call->stream);
  Forever<<<1, 1, 0, stream>>>(x, y, n);
  return cudaGetLastError();
}
