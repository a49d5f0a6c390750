// expect: incorrect cuda=not_run
// problem: level1/19
// about: One vector of eight too many: there is no guard for the last elements.
#include <kernelbench/candidate.h>

int kb_forward(const kb_call* call) {
  constexpr int64_t kWidth = 8;
  const float* x = kb::input<float>(call, 0);
  float* y = kb::output<float>(call);
  const int64_t n = kb::numel(call->outputs[0]);
  for (int64_t i = 0; i < n; ++i) y[i] = x[i] < 0.0f ? 0.0f : x[i];
  for (int64_t i = n; i < n + kWidth; ++i) y[i] = 0.0f;
  return 0;
}
