#include <cuda_runtime.h>
#include <kernelbench/candidate.h>

namespace {

constexpr int kThreads = 256;

// One row per blockIdx.y, so that no thread divides to find its column.
__global__ void __launch_bounds__(kThreads)
    BiasTanh(const float* __restrict__ x, const float* __restrict__ bias,
             float* __restrict__ out, int64_t features, int64_t rows) {
  const int64_t c = blockIdx.x * int64_t{kThreads} + threadIdx.x;
  if (c >= features) return;
  const float b = bias[c];
  for (int64_t r = blockIdx.y; r < rows; r += gridDim.y)
    out[r * features + c] = tanhf(x[r * features + c] + b);
}

}  // namespace

int kb_forward(const kb_call* call) {
  const DLTensor& bias = *kb::weight(call->model, "bias");
  const int64_t features = bias.shape[0];
  const int64_t rows = kb::numel(call->outputs[0]) / features;
  const dim3 grid(static_cast<unsigned>((features + kThreads - 1) / kThreads),
                  static_cast<unsigned>(rows < 65535 ? rows : 65535));
  BiasTanh<<<grid, kThreads, 0, static_cast<cudaStream_t>(call->stream)>>>(
      kb::input<float>(call, 0), static_cast<const float*>(bias.data),
      kb::output<float>(call), features, rows);
  return cudaGetLastError();
}
