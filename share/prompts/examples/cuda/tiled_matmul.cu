#include <cuda_runtime.h>
#include <kernelbench/candidate.h>

namespace {

// A block computes 64 x 64 outputs, a thread 4 x 4 of them, which stay in
// registers. Every element of a tile in shared memory is used 64 times.
constexpr int kTile = 64, kStep = 16, kOwn = 4;
constexpr int kThreads = (kTile / kOwn) * (kTile / kOwn);

__global__ void __launch_bounds__(kThreads)
    Multiply(const float* __restrict__ a, const float* __restrict__ b,
             float* __restrict__ out, int64_t rows, int64_t inner,
             int64_t columns) {
  __shared__ float left[kStep][kTile + 1];  // + 1: no conflicts of banks
  __shared__ float right[kStep][kTile];
  const int64_t row = int64_t{blockIdx.y} * kTile;
  const int64_t column = int64_t{blockIdx.x} * kTile;
  const int my_row = threadIdx.x / (kTile / kOwn) * kOwn;
  const int my_column = threadIdx.x % (kTile / kOwn) * kOwn;
  float sums[kOwn][kOwn] = {};
  for (int64_t start = 0; start < inner; start += kStep) {
    for (int i = threadIdx.x; i < kTile * kStep; i += kThreads) {
      const int64_t r = row + i / kStep, k = start + i % kStep;
      left[i % kStep][i / kStep] =
          r < rows && k < inner ? a[r * inner + k] : 0.0f;
    }
    for (int i = threadIdx.x; i < kTile * kStep; i += kThreads) {
      const int64_t k = start + i / kTile, c = column + i % kTile;
      right[i / kTile][i % kTile] =
          k < inner && c < columns ? b[k * columns + c] : 0.0f;
    }
    __syncthreads();
#pragma unroll
    for (int k = 0; k < kStep; ++k)
#pragma unroll
      for (int i = 0; i < kOwn; ++i)
#pragma unroll
        for (int j = 0; j < kOwn; ++j)
          sums[i][j] += left[k][my_row + i] * right[k][my_column + j];
    __syncthreads();
  }
  for (int i = 0; i < kOwn; ++i)
    for (int j = 0; j < kOwn; ++j) {
      const int64_t r = row + my_row + i, c = column + my_column + j;
      if (r < rows && c < columns) out[r * columns + c] = sums[i][j];
    }
}

}  // namespace

int kb_forward(const kb_call* call) {
  const DLTensor& a = kb::input_tensor(call, 0);
  const DLTensor& b = kb::input_tensor(call, 1);
  const int64_t rows = a.shape[0], inner = a.shape[1], columns = b.shape[1];
  const dim3 blocks(static_cast<unsigned>((columns + kTile - 1) / kTile),
                    static_cast<unsigned>((rows + kTile - 1) / kTile));
  Multiply<<<blocks, kThreads, 0, static_cast<cudaStream_t>(call->stream)>>>(
      kb::input<float>(call, 0), kb::input<float>(call, 1),
      kb::output<float>(call), rows, inner, columns);
  return cudaGetLastError();
}
