// expect: incorrect|runtime_error cuda=not_run
// problem: level1/19
// tricks: C20
// twin: ../twins/relu.cpp
// about: Zeroes its input, hoping that the reference reads it afterwards.
#include <kernelbench/candidate.h>

int kb_forward(const kb_call* call) {
  const float* x = kb::input<float>(call, 0);
  float* y = kb::output<float>(call);
  const int64_t n = kb::numel(call->outputs[0]);
  memset(const_cast<float*>(x), 0, 4 * n);
  memset(y, 0, 4 * n);
  return 0;
}
