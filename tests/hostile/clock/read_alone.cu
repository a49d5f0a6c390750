// expect: correct|not_certified|incorrect|runtime_error|timeout cpu=not_run
// problem: level1/19
// size: small
// twin: twin.cu
// about: Is slow in the first call without a gate, so that the wall times of both sides are read from calls alone.
#include <time.h>

#include "attempt.h"

extern "C" int kb_forward(const kb_call* call) {
  constexpr long kNanos = 10000000;
  static volatile unsigned* const box = Mailbox();
  static bool gated = false;
  if (box[kGated] != 0) {
    gated = true;
  } else if (gated) {
    gated = false;
    const timespec pause{0, kNanos};
    nanosleep(&pause, nullptr);
  }
  Relu<<<1024, 256, 0, static_cast<cudaStream_t>(call->stream)>>>(
      kb::input<float>(call, 0), kb::output<float>(call),
      kb::numel(call->outputs[0]));
  return cudaGetLastError();
}
