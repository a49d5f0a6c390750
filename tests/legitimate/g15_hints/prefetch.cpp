// expect: correct cuda=not_run
// problem: level1/19
// tricks: G15
// about: Fetches what it needs soon.
#include <kernelbench/candidate.h>

int kb_forward(const kb_call* call) {
  const float* x = kb::input<float>(call, 0);
  float* y = kb::output<float>(call);
  const int64_t n = kb::numel(call->outputs[0]);
  constexpr int64_t kAhead = 256;
  for (int64_t i = 0; i < n; ++i) {
    if (i % 16 == 0 && i + kAhead < n) __builtin_prefetch(x + i + kAhead);
    y[i] = x[i] < 0.0f ? 0.0f : x[i];
  }
  return 0;
}
