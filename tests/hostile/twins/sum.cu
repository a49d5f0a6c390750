// expect: correct cpu=not_run
// problem: level1/47
// about: Honest.
#include <cuda_runtime.h>
#include <kernelbench/candidate.h>

namespace {

__global__ void Sum(const float* x, float* y, int64_t rows, int64_t columns) {
  const int64_t q = blockIdx.x * int64_t{blockDim.x} + threadIdx.x;
  if (q >= columns) return;
  const float* from = x + blockIdx.y * rows * columns + q;
  float sum = 0;
  for (int64_t r = 0; r < rows; ++r) sum += from[r * columns];
  y[blockIdx.y * columns + q] = sum;
}

}  // namespace

int kb_forward(const kb_call* call) {
  const DLTensor& x = kb::input_tensor(call, 0);
  const dim3 grid(static_cast<unsigned>((x.shape[2] + 127) / 128),
                  static_cast<unsigned>(x.shape[0]));
  Sum<<<grid, 128, 0, static_cast<cudaStream_t>(call->stream)>>>(
      kb::input<float>(call, 0), kb::output<float>(call), x.shape[1],
      x.shape[2]);
  return cudaGetLastError();
}
