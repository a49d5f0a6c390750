#include <cuda_runtime.h>
#include <kernelbench/candidate.h>

namespace {

constexpr int kThreads = 256;

// One pass: x is read once, and bias, GELU and sum are done in registers.
__global__ void __launch_bounds__(kThreads)
    BiasGeluAdd(const float* __restrict__ x, const float* __restrict__ bias,
                float* __restrict__ out, int64_t features) {
  const float* row = x + blockIdx.x * features;
  for (int64_t c = threadIdx.x; c < features; c += kThreads) {
    const float in = row[c];
    const float value = in + bias[c];
    const float gelu = 0.5f * value * (1.0f + erff(value * 0.70710678f));
    out[blockIdx.x * features + c] = in + gelu;
  }
}

}  // namespace

int kb_forward(const kb_call* call) {
  const DLTensor& x = kb::input_tensor(call, 0);
  const int64_t features = x.shape[x.ndim - 1];
  const auto rows = static_cast<unsigned>(kb::numel(x) / features);
  BiasGeluAdd<<<rows, kThreads, 0, static_cast<cudaStream_t>(call->stream)>>>(
      kb::input<float>(call, 0),
      static_cast<const float*>(kb::weight(call->model, "bias")->data),
      kb::output<float>(call), features);
  return cudaGetLastError();
}
