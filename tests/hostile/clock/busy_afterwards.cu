// expect: correct|not_certified|incorrect|runtime_error|timeout cpu=not_run
// problem: level1/19
// size: small
// twin: twin.cu
// tricks: R11
// about: Leaves a kernel running, so that the reference shares the GPU.
#include "attempt.h"

namespace {

__global__ void Wait(long long cycles) {
  const long long start = clock64();
  while (clock64() - start < cycles) {
  }
}

}  // namespace

extern "C" int kb_forward(const kb_call* call) {
  constexpr long long kCycles = 20000000;  // about 10 ms
  static cudaStream_t aside = nullptr;
  static cudaEvent_t done = nullptr;
  if (aside == nullptr) {
    cudaStreamCreateWithFlags(&aside, cudaStreamNonBlocking);
    cudaEventCreateWithFlags(&done, cudaEventDisableTiming);
  }
  Relu<<<1024, 256>>>(kb::input<float>(call, 0), kb::output<float>(call),
                      kb::numel(call->outputs[0]));
  cudaEventRecord(done, nullptr);
  cudaStreamWaitEvent(aside, done, 0);
  Wait<<<132, 1, 0, aside>>>(kCycles);
  return cudaGetLastError();
}
