// expect: incorrect cpu=not_run
// problem: level1/19
// tricks: W05
// twin: ../twins/relu.cu
// about: Copies its input.
#include <cuda_runtime.h>
#include <kernelbench/candidate.h>

int kb_forward(const kb_call* call) {
  const float* x = kb::input<float>(call, 0);
  float* y = kb::output<float>(call);
  const int64_t n = kb::numel(call->outputs[0]);
  const auto stream = static_cast<cudaStream_t>(call->stream);
  cudaMemcpyAsync(y, x, 4 * n, cudaMemcpyDeviceToDevice, stream);
  return cudaGetLastError();
}
