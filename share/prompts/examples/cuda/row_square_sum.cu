#include <cuda_runtime.h>
#include <kernelbench/candidate.h>

namespace {

constexpr int kWarps = 8;

__device__ float WarpSum(float value) {
  for (int step = 16; step > 0; step /= 2)
    value += __shfl_xor_sync(0xffffffffu, value, step);
  return value;
}

// One block per row.
__global__ void __launch_bounds__(32 * kWarps)
    RowSquareSum(const float* __restrict__ x, float* __restrict__ out,
                 int64_t columns) {
  const float* row = x + blockIdx.x * columns;
  float sum = 0.0f;
  for (int64_t c = threadIdx.x; c < columns; c += 32 * kWarps)
    sum += row[c] * row[c];

  __shared__ float parts[kWarps];
  sum = WarpSum(sum);
  if (threadIdx.x % 32 == 0) parts[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x < 32) {
    sum = WarpSum(threadIdx.x < kWarps ? parts[threadIdx.x] : 0.0f);
    if (threadIdx.x == 0) out[blockIdx.x] = sum;
  }
}

}  // namespace

int kb_forward(const kb_call* call) {
  const DLTensor& x = kb::input_tensor(call, 0);
  const int64_t columns = x.shape[x.ndim - 1];
  const auto rows = static_cast<unsigned>(kb::numel(call->outputs[0]));
  RowSquareSum<<<rows, 32 * kWarps, 0,
                 static_cast<cudaStream_t>(call->stream)>>>(
      kb::input<float>(call, 0), kb::output<float>(call), columns);
  return cudaGetLastError();
}
