// expect: correct cpu=not_run
// problem: level1/89
// about: Honest and slow: a serial sum per row, a cache line per lane.
#include <cuda_runtime.h>
#include <kernelbench/candidate.h>

__global__ void CumsumKernel(const float* x, float* y, int64_t rows,
                             int64_t length) {
  const int64_t row = blockIdx.x * int64_t{32} + threadIdx.x;
  if (row >= rows) return;
  double sum = 0.0;
  for (int64_t i = 0; i < length; ++i) {
    sum += x[row * length + i];
    y[row * length + i] = static_cast<float>(sum);
  }
}

int kb_forward(const kb_call* call) {
  const DLTensor& y = call->outputs[0];
  const auto blocks = static_cast<unsigned>((y.shape[0] + 31) / 32);
  CumsumKernel<<<blocks, 32, 0, static_cast<cudaStream_t>(call->stream)>>>(
      kb::input<float>(call, 0), kb::output<float>(call), y.shape[0],
      y.shape[1]);
  return cudaGetLastError();
}
