// expect: incorrect|not_certified cpu=not_run
// problem: level1/19
// about: Works on its own stream and never joins it: no event sees the work.
#include <cuda_runtime.h>
#include <kernelbench/candidate.h>

__global__ void ReluKernel(const float* x, float* y, int64_t n) {
  const int64_t i = blockIdx.x * int64_t{256} + threadIdx.x;
  if (i < n) y[i] = x[i] < 0.0f ? 0.0f : x[i];
}

int kb_setup(const kb_model*, void** state) {
  cudaStream_t stream = nullptr;
  const cudaError_t error =
      cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
  *state = stream;
  return error;
}

int kb_forward(const kb_call* call) {
  const int64_t n = kb::numel(call->outputs[0]);
  ReluKernel<<<static_cast<unsigned>((n + 255) / 256), 256, 0,
               static_cast<cudaStream_t>(call->state)>>>(
      kb::input<float>(call, 0), kb::output<float>(call), n);
  return cudaGetLastError();
}

void kb_teardown(void* state) {
  cudaStreamDestroy(static_cast<cudaStream_t>(state));
}
