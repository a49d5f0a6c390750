// expect: correct cuda=not_run
// problem: level1/5
// tricks: W10
// twin: ../twins/../twins/scale.cpp
// about: Knows the scalar, which the problem never changes.
#include <kernelbench/candidate.h>

int kb_forward(const kb_call* call) {
  const float* x = kb::input<float>(call, 0);
  float* y = kb::output<float>(call);
  const int64_t n = kb::numel(call->outputs[0]);
  for (int64_t i = 0; i < n; ++i) y[i] = x[i] * 3.14f;
  return 0;
}
