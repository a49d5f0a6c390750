// expect: correct|not_certified|incorrect|runtime_error|timeout cpu=not_run
// problem: level1/19
// size: small
// twin: twin.cu
// about: One kernel at the last call does the whole chain.
#include "attempt.h"

extern "C" int kb_forward(const kb_call* call) {
  static volatile unsigned* const box = Mailbox();
  static unsigned chain = 0, count = 0;
  static Calls calls;
  if (box[kArm] != chain) count = 0;
  chain = box[kArm];
  calls.x[count] = kb::input<float>(call, 0);
  calls.y[count] = kb::output<float>(call);
  if (++count < box[kCalls]) return 0;
  ReluAll<<<dim3(1024, count), 256>>>(calls, kb::numel(call->outputs[0]));
  return cudaGetLastError();
}
