// expect: not_certified|incorrect cpu=not_run
// problem: level1/19
// size: small
// twin: twin.cu
// about: Reports the end when the gate opens.
#include <chrono>
#include <thread>

#include "attempt.h"

namespace {

// For a second, then it gives up.
void SayDone(volatile unsigned* box, unsigned number) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(1);
  while (box[kGo] < number)
    if (std::chrono::steady_clock::now() > end) return;
  box[kDone] = number;
}

}  // namespace

extern "C" int kb_forward(const kb_call* call) {
  static volatile unsigned* const box = Mailbox();
  static unsigned last = 0;
  const unsigned number = box[kArm];
  if (number != last) std::thread(SayDone, box, number).detach();
  last = number;
  Relu<<<1024, 256>>>(kb::input<float>(call, 0), kb::output<float>(call),
                      kb::numel(call->outputs[0]));
  return cudaGetLastError();
}
