// expect: correct|not_certified|incorrect|runtime_error|timeout cpu=not_run
// problem: level1/19
// size: small
// twin: twin.cu
// about: Is slow when it is called once, so that the slope gets flat, and
// leaves a kernel that waits for the constant to be read beside it, so that a
// call alone does not look slow.
#include "attempt.h"

namespace {

__global__ void Wait(long long cycles) {
  const long long start = clock64();
  while (clock64() - start < cycles) {
  }
}

// For 50 ms, or until the next chain is announced.
__global__ void Stay(volatile unsigned* box, unsigned number) {
  constexpr long long kCycles = 90000000;
  const long long start = clock64();
  while (box[kArm] == number && clock64() - start < kCycles) {
  }
}

volatile unsigned* box = nullptr;
cudaStream_t aside = nullptr;
cudaEvent_t end = nullptr;

}  // namespace

extern "C" int kb_setup(const kb_model*, void**) {
  box = Mailbox();
  cudaStreamCreateWithFlags(&aside, cudaStreamNonBlocking);
  cudaFuncAttributes loaded;  // now: behind the gate it would wait
  cudaFuncGetAttributes(&loaded, Stay);
  return cudaEventCreateWithFlags(&end, cudaEventDisableTiming);
}

extern "C" int kb_forward(const kb_call* call) {
  constexpr long long kCycles = 450000;  // about 250 us
  static unsigned chain = 0, count = 0;
  if (box[kArm] != chain) count = 0;
  chain = box[kArm];
  if (box[kCalls] == 1) Wait<<<1, 1>>>(kCycles);
  Relu<<<1024, 256>>>(kb::input<float>(call, 0), kb::output<float>(call),
                      kb::numel(call->outputs[0]));
  if (++count < box[kCalls] || count <= 4) return cudaGetLastError();
  cudaEventRecord(end, nullptr);
  cudaStreamWaitEvent(aside, end, 0);
  for (int i = 0; i < 20; ++i) Stay<<<1, 1, 0, aside>>>(box, chain);
  return cudaGetLastError();
}
