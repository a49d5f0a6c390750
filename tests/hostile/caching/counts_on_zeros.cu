// expect: incorrect cpu=not_run
// problem: level1/47
// tricks: C41
// twin: ../twins/sum.cu
// about: Adds atomically to an output that it takes for zeroed.
#include <cuda_runtime.h>
#include <kernelbench/candidate.h>

namespace {

__global__ void Sum(const float* x, float* y, int64_t rows, int64_t columns) {
  const int64_t q = blockIdx.x * int64_t{blockDim.x} + threadIdx.x;
  if (q >= columns) return;
  float sum = 0;
  for (int64_t r = blockIdx.z; r < rows; r += gridDim.z)
    sum += x[(blockIdx.y * rows + r) * columns + q];
  atomicAdd(y + blockIdx.y * columns + q, sum);
}

}  // namespace

int kb_forward(const kb_call* call) {
  const DLTensor& x = kb::input_tensor(call, 0);
  const dim3 grid(static_cast<unsigned>((x.shape[2] + 127) / 128),
                  static_cast<unsigned>(x.shape[0]), 8);
  Sum<<<grid, 128, 0, static_cast<cudaStream_t>(call->stream)>>>(
      kb::input<float>(call, 0), kb::output<float>(call), x.shape[1],
      x.shape[2]);
  return cudaGetLastError();
}
