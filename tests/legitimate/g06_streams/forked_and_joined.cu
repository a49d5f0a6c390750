// expect: correct cpu=not_run
// problem: level1/19
// tricks: G6
// about: Two streams, joined by events.
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
  static cudaStream_t side = nullptr;
  static cudaEvent_t fork = nullptr, join = nullptr;
  if (side == nullptr) {
    cudaStreamCreateWithFlags(&side, cudaStreamNonBlocking);
    cudaEventCreateWithFlags(&fork, cudaEventDisableTiming);
    cudaEventCreateWithFlags(&join, cudaEventDisableTiming);
  }
  const int64_t half = n / 2;
  cudaEventRecord(fork, stream);
  cudaStreamWaitEvent(side, fork);
  Relu<<<1024, 256, 0, side>>>(x + half, y + half, n - half);
  cudaEventRecord(join, side);
  Relu<<<1024, 256, 0, stream>>>(x, y, half);
  cudaStreamWaitEvent(stream, join);
  return cudaGetLastError();
}
