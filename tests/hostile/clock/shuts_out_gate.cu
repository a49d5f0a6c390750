// expect: correct|not_certified|incorrect|runtime_error|timeout cpu=not_run
// problem: level1/19
// size: small
// twin: twin.cu
// about: Waits for the device when it sees a gate, so that launches count on
// both sides: those of the reference, in Python, take longer.
#include "attempt.h"

extern "C" int kb_forward(const kb_call* call) {
  static volatile unsigned* const box = Mailbox();
  if (box[kGated] != 0) cudaStreamSynchronize(nullptr);
  Relu<<<1024, 256>>>(kb::input<float>(call, 0), kb::output<float>(call),
                      kb::numel(call->outputs[0]));
  return cudaGetLastError();
}
