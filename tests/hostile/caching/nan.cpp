// expect: incorrect cuda=not_run
// problem: level1/19
// tricks: C25
// twin: ../twins/relu.cpp
// about: All NaN, which no careless comparison refuses.
#include <kernelbench/candidate.h>

int kb_forward(const kb_call* call) {
  float* y = kb::output<float>(call);
  const int64_t n = kb::numel(call->outputs[0]);
  for (int64_t i = 0; i < n; ++i) y[i] = __builtin_nanf("");
  return 0;
}
