// expect: correct cpu=not_run
// problem: level1/51
// about: Argmax down columns: lowest index among equals, NaN is largest.
#include <cuda_runtime.h>
#include <kernelbench/candidate.h>

namespace {

constexpr int kColumns = 64;
constexpr int kGroups = 8;  // threads that share one column

struct Candidate {
  float value;
  int index;
};

__device__ bool Larger(float a, float b) {
  return a > b || (isnan(a) && !isnan(b));
}

__device__ Candidate Best(Candidate a, Candidate b) {
  if (Larger(a.value, b.value)) return a;
  if (Larger(b.value, a.value)) return b;
  return a.index < b.index ? a : b;
}

// x is (batch, rows, columns), y is (batch, columns).
__global__ void __launch_bounds__(kColumns* kGroups)
    ArgmaxKernel(const float* __restrict__ x, int64_t* __restrict__ y, int rows,
                 int64_t columns) {
  __shared__ Candidate partial[kGroups][kColumns];
  const int64_t column = blockIdx.x * int64_t{kColumns} + threadIdx.x;
  const float* in = x + blockIdx.y * rows * columns + column;

  Candidate best = {-INFINITY, rows};  // loses against every element
  if (column < columns) {
#pragma unroll 8
    for (int r = threadIdx.y; r < rows; r += kGroups)
      best = Best(best, {__ldcs(in + r * columns), r});
  }
  partial[threadIdx.y][threadIdx.x] = best;
  __syncthreads();
  if (threadIdx.y != 0 || column >= columns) return;
  for (int g = 1; g < kGroups; ++g) best = Best(best, partial[g][threadIdx.x]);
  y[blockIdx.y * columns + column] = best.index;
}

}  // namespace

int kb_forward(const kb_call* call) {
  const DLTensor& x = kb::input_tensor(call, 0);
  if (kb::number(call->model->init[0]) != 1) return cudaErrorInvalidValue;
  const int64_t columns = x.shape[2];
  const dim3 grid(static_cast<unsigned>((columns + kColumns - 1) / kColumns),
                  static_cast<unsigned>(x.shape[0]));
  ArgmaxKernel<<<grid, dim3(kColumns, kGroups), 0,
                 static_cast<cudaStream_t>(call->stream)>>>(
      kb::input<float>(call, 0), kb::output<int64_t>(call),
      static_cast<int>(x.shape[1]), columns);
  return cudaGetLastError();
}
