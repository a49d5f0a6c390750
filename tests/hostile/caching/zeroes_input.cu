// expect: incorrect cpu=not_run
// problem: level1/19
// tricks: C20
// twin: ../twins/relu.cu
// about: Zeroes its input, hoping that the reference reads it afterwards.
#include <cuda_runtime.h>
#include <kernelbench/candidate.h>

int kb_forward(const kb_call* call) {
  const float* x = kb::input<float>(call, 0);
  float* y = kb::output<float>(call);
  const int64_t n = kb::numel(call->outputs[0]);
  const auto stream = static_cast<cudaStream_t>(call->stream);
  cudaMemsetAsync(const_cast<float*>(x), 0, 4 * n, stream);
  cudaMemsetAsync(y, 0, 4 * n, stream);
  return cudaGetLastError();
}
