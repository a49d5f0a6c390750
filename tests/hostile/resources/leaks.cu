// expect: correct|out_of_memory|runtime_error cpu=not_run
// problem: level1/19
// tricks: R03
// twin: ../twins/relu.cu
// about: Leaks memory, streams and events with every call.
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
  void* block = nullptr;
  cudaStream_t other;
  cudaEvent_t event;
  cudaMallocAsync(&block, 64 << 20, stream);
  cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking);
  cudaEventCreateWithFlags(&event, cudaEventDisableTiming);
  Relu<<<1024, 256, 0, stream>>>(x, y, n);
  return cudaGetLastError();
}
