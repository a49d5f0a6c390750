// expect: correct cuda=not_run
// problem: level1/5
// about: Honest.
#include <kernelbench/candidate.h>

int kb_forward(const kb_call* call) {
  const float* a = kb::input<float>(call, 0);
  const auto s = static_cast<float>(kb::number(call->inputs[1]));
  float* y = kb::output<float>(call);
  const int64_t n = kb::numel(call->outputs[0]);
  for (int64_t i = 0; i < n; ++i) y[i] = a[i] * s;
  return 0;
}
