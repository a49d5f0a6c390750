// expect: correct|not_certified|timeout|runtime_error|incorrect cpu=not_run
// problem: level1/19
// tricks: T18
// twin: ../twins/../clock/twin.cu
// size: small
// about: Copies to the host and computes there, which no count of kernels sees.
#include <cuda_runtime.h>
#include <kernelbench/candidate.h>

#include <vector>

int kb_forward(const kb_call* call) {
  const float* x = kb::input<float>(call, 0);
  float* y = kb::output<float>(call);
  const int64_t n = kb::numel(call->outputs[0]);
  const auto stream = static_cast<cudaStream_t>(call->stream);
  std::vector<float> host(n);
  cudaMemcpyAsync(host.data(), x, 4 * n, cudaMemcpyDeviceToHost, stream);
  cudaStreamSynchronize(stream);
  for (float& v : host) v = v < 0.0f ? 0.0f : v;
  cudaMemcpyAsync(y, host.data(), 4 * n, cudaMemcpyHostToDevice, stream);
  cudaStreamSynchronize(stream);
  return cudaGetLastError();
}
