// expect: incorrect cpu=not_run
// problem: level1/47
// about: The grid is rounded down, so the last columns stay unwritten.
#include <cuda_runtime.h>
#include <kernelbench/candidate.h>

__global__ void SumKernel(const float* x, float* y, int rows, int64_t columns) {
  const int64_t column = blockIdx.x * int64_t{256} + threadIdx.x;
  const float* in = x + blockIdx.y * rows * columns + column;
  float sum = 0.0f;
  for (int r = 0; r < rows; ++r) sum += in[r * columns];
  y[blockIdx.y * columns + column] = sum;
}

int kb_forward(const kb_call* call) {
  const int64_t* shape = kb::input_tensor(call, 0).shape;
  const dim3 grid(static_cast<unsigned>(shape[2] / 256),
                  static_cast<unsigned>(shape[0]));
  SumKernel<<<grid, 256, 0, static_cast<cudaStream_t>(call->stream)>>>(
      kb::input<float>(call, 0), kb::output<float>(call),
      static_cast<int>(shape[1]), shape[2]);
  return cudaGetLastError();
}
