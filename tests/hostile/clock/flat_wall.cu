// expect: correct|not_certified|incorrect|runtime_error|timeout cpu=not_run
// problem: level1/19
// size: small
// twin: twin.cu
// about: Waits on the host when it is called once without a gate, so that the slope of wall times gets flat.
#include <time.h>

#include "attempt.h"

namespace {

long Nanos() {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1000000000L + now.tv_nsec;
}

}  // namespace

extern "C" int kb_forward(const kb_call* call) {
  constexpr long kNanos = 300000;
  static volatile unsigned* const box = Mailbox();
  const long end = Nanos() + kNanos;
  while (box[kCalls] == 1 && box[kGated] == 0 && Nanos() < end) {
  }
  Relu<<<1024, 256, 0, static_cast<cudaStream_t>(call->stream)>>>(
      kb::input<float>(call, 0), kb::output<float>(call),
      kb::numel(call->outputs[0]));
  return cudaGetLastError();
}
