// expect: correct cpu=not_run
// problem: level1/1
// about: Honest and slow: one thread per element, no reuse but the caches'.
#include <cuda_runtime.h>
#include <kernelbench/candidate.h>

__global__ void MatmulKernel(const float* a, const float* b, float* c,
                             int64_t n) {
  const int64_t row = blockIdx.y * 16 + threadIdx.y;
  const int64_t column = blockIdx.x * 16 + threadIdx.x;
  if (row >= n || column >= n) return;
  float sum = 0.0f;
  for (int64_t k = 0; k < n; ++k) sum += a[row * n + k] * b[k * n + column];
  c[row * n + column] = sum;
}

int kb_forward(const kb_call* call) {
  const int64_t n = call->outputs[0].shape[0];
  const auto tiles = static_cast<unsigned>((n + 15) / 16);
  MatmulKernel<<<dim3(tiles, tiles), dim3(16, 16), 0,
                 static_cast<cudaStream_t>(call->stream)>>>(
      kb::input<float>(call, 0), kb::input<float>(call, 1),
      kb::output<float>(call), n);
  return cudaGetLastError();
}
