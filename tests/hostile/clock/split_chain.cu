// expect: correct|not_certified|incorrect|runtime_error|timeout cpu=not_run
// problem: level1/19
// size: small
// twin: twin.cu
// about: Every other call does its own work and that of the call before it.
#include "attempt.h"

extern "C" int kb_forward(const kb_call* call) {
  static volatile unsigned* const box = Mailbox();
  static unsigned chain = 0, count = 0, kept = 0;
  static Calls calls;
  if (box[kArm] != chain) count = kept = 0;
  chain = box[kArm];
  calls.x[kept] = kb::input<float>(call, 0);
  calls.y[kept++] = kb::output<float>(call);
  if (++count < box[kCalls] && kept < 2) return 0;
  ReluAll<<<dim3(1024, kept), 256>>>(calls, kb::numel(call->outputs[0]));
  kept = 0;
  return cudaGetLastError();
}
