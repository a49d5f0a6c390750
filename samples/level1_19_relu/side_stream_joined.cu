// expect: correct cpu=not_run
// problem: level1/19
// about: Honest use of a second stream: forked and joined by events.
#include <cuda_runtime.h>
#include <kernelbench/candidate.h>

namespace {

struct State {
  cudaStream_t stream = nullptr;
  cudaEvent_t fork = nullptr;
  cudaEvent_t join = nullptr;
};

__global__ void ReluKernel(const float* x, float* y, int64_t n) {
  const int64_t i = blockIdx.x * int64_t{256} + threadIdx.x;
  if (i < n) y[i] = x[i] < 0.0f ? 0.0f : x[i];
}

void Launch(const float* x, float* y, int64_t n, cudaStream_t stream) {
  ReluKernel<<<static_cast<unsigned>((n + 255) / 256), 256, 0, stream>>>(x, y,
                                                                         n);
}

}  // namespace

int kb_setup(const kb_model*, void** state) {
  auto* s = new State;
  *state = s;
  cudaStreamCreateWithFlags(&s->stream, cudaStreamNonBlocking);
  cudaEventCreateWithFlags(&s->fork, cudaEventDisableTiming);
  cudaEventCreateWithFlags(&s->join, cudaEventDisableTiming);
  return cudaGetLastError();
}

int kb_forward(const kb_call* call) {
  const auto* s = static_cast<const State*>(call->state);
  const auto main = static_cast<cudaStream_t>(call->stream);
  const int64_t n = kb::numel(call->outputs[0]);
  const int64_t half = n / 2;
  const float* x = kb::input<float>(call, 0);
  float* y = kb::output<float>(call);
  cudaEventRecord(s->fork, main);
  cudaStreamWaitEvent(s->stream, s->fork);
  Launch(x, y, half, main);
  Launch(x + half, y + half, n - half, s->stream);
  cudaEventRecord(s->join, s->stream);
  cudaStreamWaitEvent(main, s->join);
  return cudaGetLastError();
}

void kb_teardown(void* state) {
  auto* s = static_cast<State*>(state);
  cudaEventDestroy(s->join);
  cudaEventDestroy(s->fork);
  cudaStreamDestroy(s->stream);
  delete s;
}
