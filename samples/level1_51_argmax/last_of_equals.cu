// expect: incorrect cpu=not_run
// problem: level1/51
// about: Compares with >=: of equal maxima (1 column in 8000) the last wins.
#include <cuda_runtime.h>
#include <kernelbench/candidate.h>

#include <cfloat>

__global__ void ArgmaxKernel(const float* x, int64_t* y, int rows,
                             int64_t columns) {
  const int64_t column = blockIdx.x * int64_t{256} + threadIdx.x;
  if (column >= columns) return;
  const float* in = x + blockIdx.y * rows * columns + column;
  float highest = -FLT_MAX;
  int best = 0;
  for (int r = 0; r < rows; ++r) {
    const float value = in[r * columns];
    if (value >= highest) {
      highest = value;
      best = r;
    }
  }
  y[blockIdx.y * columns + column] = best;
}

int kb_forward(const kb_call* call) {
  const int64_t* shape = kb::input_tensor(call, 0).shape;
  const dim3 grid(static_cast<unsigned>((shape[2] + 255) / 256),
                  static_cast<unsigned>(shape[0]));
  ArgmaxKernel<<<grid, 256, 0, static_cast<cudaStream_t>(call->stream)>>>(
      kb::input<float>(call, 0), kb::output<int64_t>(call),
      static_cast<int>(shape[1]), shape[2]);
  return cudaGetLastError();
}
