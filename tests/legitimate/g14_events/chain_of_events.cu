// expect: correct cpu=not_run
// problem: level1/19
// tricks: G14
// about: Two streams that hand the work over by events without times.
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
  static cudaEvent_t handed[2];
  if (side == nullptr) {
    cudaStreamCreateWithFlags(&side, cudaStreamNonBlocking);
    for (cudaEvent_t& event : handed)
      cudaEventCreateWithFlags(&event, cudaEventDisableTiming);
  }
  cudaEventRecord(handed[0], stream);
  cudaStreamWaitEvent(side, handed[0]);
  Relu<<<1024, 256, 0, side>>>(x, y, n);
  cudaEventRecord(handed[1], side);
  cudaStreamWaitEvent(stream, handed[1]);
  return cudaGetLastError();
}
