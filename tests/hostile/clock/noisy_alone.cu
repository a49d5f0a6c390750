// expect: correct|not_certified|incorrect|runtime_error|timeout cpu=not_run
// problem: level1/19
// size: small
// twin: twin.cu
// about: Is slow when it is called once, and by another amount in every round,
// so that the margin for noise covers it.
#include "attempt.h"

namespace {

__global__ void Wait(long long cycles) {
  const long long start = clock64();
  while (clock64() - start < cycles) {
  }
}

}  // namespace

// The median of three levels is the middle one, their quartiles are far apart.
extern "C" int kb_forward(const kb_call* call) {
  constexpr long long kCycles[] = {540000, 0, 2700000};  // 0.3 ms, 0, 1.5 ms
  static volatile unsigned* const box = Mailbox();
  static unsigned chain = 0, round = 0;
  if (box[kArm] != chain && box[kCalls] > 9) ++round;  // ends with a long chain
  chain = box[kArm];
  if (box[kCalls] == 1 && kCycles[round % 3] > 0)
    Wait<<<1, 1>>>(kCycles[round % 3]);
  Relu<<<1024, 256>>>(kb::input<float>(call, 0), kb::output<float>(call),
                      kb::numel(call->outputs[0]));
  return cudaGetLastError();
}
