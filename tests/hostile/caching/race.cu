// expect: incorrect cpu=not_run
// problem: level1/47
// tricks: C33
// twin: ../twins/sum.cu
// about: A reduction without the barrier that it needs.
#include <cuda_runtime.h>
#include <kernelbench/candidate.h>

namespace {

__global__ void Sum(const float* x, float* y, int64_t rows, int64_t columns) {
  __shared__ float sums[256];
  const int64_t q = blockIdx.x;
  float sum = 0;
  for (int64_t r = threadIdx.x; r < rows; r += 256)
    sum += x[(blockIdx.y * rows + r) * columns + q];
  sums[threadIdx.x] = sum;  // no barrier here
  for (int half = 128; half > 0; half /= 2)
    if (threadIdx.x < half) sums[threadIdx.x] += sums[threadIdx.x + half];
  if (threadIdx.x == 0) y[blockIdx.y * columns + q] = sums[0];
}

}  // namespace

int kb_forward(const kb_call* call) {
  const DLTensor& x = kb::input_tensor(call, 0);
  const dim3 grid(static_cast<unsigned>(x.shape[2]),
                  static_cast<unsigned>(x.shape[0]));
  Sum<<<grid, 256, 0, static_cast<cudaStream_t>(call->stream)>>>(
      kb::input<float>(call, 0), kb::output<float>(call), x.shape[1],
      x.shape[2]);
  return cudaGetLastError();
}
