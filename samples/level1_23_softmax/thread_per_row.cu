// expect: correct cpu=not_run
// problem: level1/23
// about: Honest and slow: a thread per row, no two lanes share a cache line.
#include <cuda_runtime.h>
#include <kernelbench/candidate.h>

#include <cfloat>

__global__ void SoftmaxKernel(const float* x, float* y, int64_t rows,
                              int64_t dim) {
  const int64_t row = blockIdx.x * int64_t{32} + threadIdx.x;
  if (row >= rows) return;
  const float* in = x + row * dim;
  float* out = y + row * dim;

  float highest = -FLT_MAX;
  for (int64_t i = 0; i < dim; ++i) highest = fmaxf(highest, in[i]);
  double sum = 0.0;
  for (int64_t i = 0; i < dim; ++i) sum += expf(in[i] - highest);
  const auto scale = static_cast<float>(1.0 / sum);
  for (int64_t i = 0; i < dim; ++i) out[i] = expf(in[i] - highest) * scale;
}

int kb_forward(const kb_call* call) {
  const DLTensor& y = call->outputs[0];
  const int64_t rows = y.shape[0];
  SoftmaxKernel<<<static_cast<unsigned>((rows + 31) / 32), 32, 0,
                  static_cast<cudaStream_t>(call->stream)>>>(
      kb::input<float>(call, 0), kb::output<float>(call), rows, y.shape[1]);
  return cudaGetLastError();
}
