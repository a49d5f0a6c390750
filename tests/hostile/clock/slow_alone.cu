// expect: correct|not_certified|incorrect|runtime_error|timeout cpu=not_run
// problem: level1/19
// size: small
// twin: twin.cu
// about: Is slow when it is called once, so that the slope gets flat.
#include "attempt.h"

namespace {

__global__ void Wait(long long cycles) {
  const long long start = clock64();
  while (clock64() - start < cycles) {
  }
}

}  // namespace

extern "C" int kb_forward(const kb_call* call) {
  constexpr long long kCycles = 150000;  // about 80 us
  static volatile unsigned* const box = Mailbox();
  if (box[kCalls] == 1) Wait<<<1, 1>>>(kCycles);
  Relu<<<1024, 256>>>(kb::input<float>(call, 0), kb::output<float>(call),
                      kb::numel(call->outputs[0]));
  return cudaGetLastError();
}
