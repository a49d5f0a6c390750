// expect: correct|not_certified|incorrect|runtime_error|timeout cpu=not_run
// problem: level1/19
// size: small
// twin: twin.cu
// about: A kernel of its own runs until the gate opens, so that a chain begins
// without a switch of the device; a call alone begins with one.
#include "attempt.h"

namespace {

// For 50 ms, or until the gate opens.
__global__ void Stay(volatile unsigned* box, unsigned number) {
  constexpr long long kCycles = 90000000;
  const long long start = clock64();
  while (box[kGo] < number && clock64() - start < kCycles) {
  }
}

volatile unsigned* box = nullptr;
cudaStream_t aside = nullptr;

}  // namespace

extern "C" int kb_setup(const kb_model*, void**) {
  box = Mailbox();
  cudaFuncAttributes loaded;  // now: behind the gate it would wait
  cudaFuncGetAttributes(&loaded, Stay);
  return cudaStreamCreateWithFlags(&aside, cudaStreamNonBlocking);
}

extern "C" int kb_forward(const kb_call* call) {
  static unsigned chain = 0;
  if (box[kArm] != chain && box[kCalls] > 1 && box[kGated] != 0)
    for (int i = 0; i < 10; ++i) Stay<<<1, 1, 0, aside>>>(box, box[kArm]);
  chain = box[kArm];
  Relu<<<1024, 256>>>(kb::input<float>(call, 0), kb::output<float>(call),
                      kb::numel(call->outputs[0]));
  return cudaGetLastError();
}
