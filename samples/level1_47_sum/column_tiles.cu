// expect: correct cpu=not_run
// problem: level1/47
// about: Tiles of 64 columns: coalesced although rows are not aligned.
#include <cuda_runtime.h>
#include <kernelbench/candidate.h>

namespace {

constexpr int kColumns = 64;
constexpr int kGroups = 8;  // threads that share one column
constexpr int kUnroll = 8;  // loads in flight per thread

// x is (batch, rows, columns), y is (batch, columns).
__global__ void __launch_bounds__(kColumns* kGroups)
    SumKernel(const float* __restrict__ x, float* __restrict__ y, int rows,
              int64_t columns) {
  __shared__ float partial[kGroups][kColumns];
  const int64_t column = blockIdx.x * int64_t{kColumns} + threadIdx.x;
  const float* in = x + blockIdx.y * rows * columns + column;

  float sum = 0.0f;
  if (column < columns) {
#pragma unroll kUnroll
    for (int r = threadIdx.y; r < rows; r += kGroups)
      sum += __ldcs(in + r * columns);
  }
  partial[threadIdx.y][threadIdx.x] = sum;
  __syncthreads();
  if (threadIdx.y != 0 || column >= columns) return;
  for (int g = 1; g < kGroups; ++g) sum += partial[g][threadIdx.x];
  y[blockIdx.y * columns + column] = sum;
}

}  // namespace

int kb_forward(const kb_call* call) {
  const DLTensor& x = kb::input_tensor(call, 0);
  if (kb::number(call->model->init[0]) != 1) return cudaErrorInvalidValue;
  const int64_t columns = x.shape[2];
  const dim3 grid(static_cast<unsigned>((columns + kColumns - 1) / kColumns),
                  static_cast<unsigned>(x.shape[0]));
  SumKernel<<<grid, dim3(kColumns, kGroups), 0,
              static_cast<cudaStream_t>(call->stream)>>>(
      kb::input<float>(call, 0), kb::output<float>(call),
      static_cast<int>(x.shape[1]), columns);
  return cudaGetLastError();
}
