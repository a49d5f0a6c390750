// expect: correct cpu=not_run
// problem: level1/47
// tricks: G24
// about: A sum of a warp by cooperative groups.
#include <cuda_runtime.h>
#include <kernelbench/candidate.h>

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

namespace {

namespace cg = cooperative_groups;

__global__ void Sum(const float* x, float* y, int64_t rows, int64_t columns) {
  const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  float sum = 0;
  for (int64_t r = threadIdx.x; r < rows; r += 32)
    sum += x[(blockIdx.y * rows + r) * columns + blockIdx.x];
  sum = cg::reduce(warp, sum, cg::plus<float>());
  if (threadIdx.x == 0) y[blockIdx.y * columns + blockIdx.x] = sum;
}

}  // namespace

int kb_forward(const kb_call* call) {
  const DLTensor& x = kb::input_tensor(call, 0);
  const dim3 grid(static_cast<unsigned>(x.shape[2]),
                  static_cast<unsigned>(x.shape[0]));
  Sum<<<grid, 32, 0, static_cast<cudaStream_t>(call->stream)>>>(
      kb::input<float>(call, 0), kb::output<float>(call), x.shape[1],
      x.shape[2]);
  return cudaGetLastError();
}
