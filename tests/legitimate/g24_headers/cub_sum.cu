// expect: correct cpu=not_run
// problem: level1/47
// tricks: G24
// about: A sum of a block by CUB.
#include <cuda_runtime.h>
#include <kernelbench/candidate.h>

#include <cub/block/block_reduce.cuh>

namespace {

__global__ void Sum(const float* x, float* y, int64_t rows, int64_t columns) {
  using Reduce = cub::BlockReduce<float, 256>;
  __shared__ typename Reduce::TempStorage storage;
  float sum = 0;
  for (int64_t r = threadIdx.x; r < rows; r += 256)
    sum += x[(blockIdx.y * rows + r) * columns + blockIdx.x];
  sum = Reduce(storage).Sum(sum);
  if (threadIdx.x == 0) y[blockIdx.y * columns + blockIdx.x] = sum;
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
