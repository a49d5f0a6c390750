// expect: incorrect cuda=not_run
// problem: level1/19
// tricks: W05
// twin: ../twins/relu.cpp
// about: Copies its input.
#include <kernelbench/candidate.h>

int kb_forward(const kb_call* call) {
  const float* x = kb::input<float>(call, 0);
  float* y = kb::output<float>(call);
  const int64_t n = kb::numel(call->outputs[0]);
  memcpy(y, x, 4 * n);
  return 0;
}
