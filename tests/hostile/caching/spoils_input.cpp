// expect: incorrect|runtime_error cuda=not_run
// problem: level1/19
// tricks: C20
// twin: ../twins/relu.cpp
// about: Answers rightly, and then zeroes its input for those who read it next.
#include <kernelbench/candidate.h>

int kb_forward(const kb_call* call) {
  const float* x = kb::input<float>(call, 0);
  float* y = kb::output<float>(call);
  const int64_t n = kb::numel(call->outputs[0]);
  for (int64_t i = 0; i < n; ++i) y[i] = x[i] < 0.0f ? 0.0f : x[i];
  memset(const_cast<float*>(x), 0, 4 * n);
  return 0;
}
