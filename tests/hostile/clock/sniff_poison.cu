// expect: correct|not_certified|incorrect|runtime_error|timeout cpu=not_run
// problem: level1/19
// size: small
// twin: twin.cu
// tricks: C41
// about: Computes only where the output still holds NaN.
#include <kernelbench/candidate.h>

namespace {

// 256 elements by one look at their first.
__global__ void ReluWhereNan(const float* x, float* y, long n) {
  for (long i = blockIdx.x * long(blockDim.x); i < n;
       i += long(gridDim.x) * blockDim.x) {
    const bool poisoned = isnan(y[i]);
    __syncthreads();
    const long own = i + threadIdx.x;
    if (poisoned && own < n) y[own] = x[own] > 0 ? x[own] : 0;
  }
}

}  // namespace

extern "C" int kb_forward(const kb_call* call) {
  ReluWhereNan<<<1024, 256>>>(kb::input<float>(call, 0),
                              kb::output<float>(call),
                              kb::numel(call->outputs[0]));
  return cudaGetLastError();
}
