// expect: incorrect cpu=not_run
// problem: level1/19
// tricks: C06
// twin: ../twins/relu.cu
// about: Leaves the output as it is where it has answered that place before.
#include <cuda_runtime.h>
#include <kernelbench/candidate.h>

#include <set>
#include <utility>

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
  static std::set<std::pair<const float*, float*>> seen;
  if (seen.insert({x, y}).second) Relu<<<1024, 256, 0, stream>>>(x, y, n);
  return cudaGetLastError();
}
