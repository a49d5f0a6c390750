// expect: incorrect cpu=not_run
// problem: level1/19
// tricks: B16
// twin: ../twins/relu.cu
// about: Launches a kernel that does nothing.
#include <cuda_runtime.h>
#include <kernelbench/candidate.h>

namespace {

__global__ void Nothing(float* y, int64_t n, bool useful) {
  if (n < 0 && useful) y[0] = 1.0f;
}

}  // namespace

int kb_forward(const kb_call* call) {
  const float* x = kb::input<float>(call, 0);
  float* y = kb::output<float>(call);
  const int64_t n = kb::numel(call->outputs[0]);
  const auto stream = static_cast<cudaStream_t>(call->stream);
  Nothing<<<132, 256, 0, stream>>>(y, n, x != nullptr);
  return cudaGetLastError();
}
