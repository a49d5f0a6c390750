// expect: correct|incorrect|runtime_error cpu=not_run
// problem: level1/19
// tricks: M05
// twin: ../twins/relu.cu
// about: Reads and wipes what lies around its input in the block that was shared.
#include <cuda.h>
#include <cuda_runtime.h>
#include <kernelbench/candidate.h>

namespace {

__global__ void Relu(const float* x, float* y, int64_t n) {
  const int64_t stride = int64_t{gridDim.x} * blockDim.x;
  for (int64_t i = blockIdx.x * int64_t{blockDim.x} + threadIdx.x; i < n;
       i += stride)
    y[i] = x[i] < 0.0f ? 0.0f : x[i];
}

}  // namespace

int kb_forward(const kb_call* call) {
  const float* x = kb::input<float>(call, 0);
  float* y = kb::output<float>(call);
  const int64_t n = kb::numel(call->outputs[0]);
  const auto stream = static_cast<cudaStream_t>(call->stream);
  CUdeviceptr base = 0;
  size_t size = 0;
  cuMemGetAddressRange(&base, &size, reinterpret_cast<CUdeviceptr>(x));
  const auto begin = reinterpret_cast<CUdeviceptr>(x);
  Relu<<<1024, 256, 0, stream>>>(x, y, n);
  if (base != 0 && begin > base) cuMemsetD8Async(base, 0, begin - base, stream);
  const CUdeviceptr end = begin + 4 * n;
  if (base != 0 && base + size > end) cuMemsetD8Async(end, 0, base + size - end, stream);
  return cudaGetLastError();
}
