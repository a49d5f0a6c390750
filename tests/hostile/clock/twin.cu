// expect: correct cpu=not_run
// problem: level1/19
// size: small
#include "attempt.h"

extern "C" int kb_forward(const kb_call* call) {
  const long n = kb::numel(call->outputs[0]);
  Relu<<<1024, 256, 0, static_cast<cudaStream_t>(call->stream)>>>(
      kb::input<float>(call, 0), kb::output<float>(call), n);
  return cudaGetLastError();
}
