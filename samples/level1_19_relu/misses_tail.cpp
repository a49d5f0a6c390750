// expect: incorrect cuda=not_run
// problem: level1/19
// about: Works in groups of eight and never writes the last n % 8 elements.
#include <kernelbench/candidate.h>

int kb_forward(const kb_call* call) {
  constexpr int64_t kWidth = 8;
  const float* x = kb::input<float>(call, 0);
  float* y = kb::output<float>(call);
  const int64_t groups = kb::numel(call->outputs[0]) / kWidth;
  for (int64_t g = 0; g < groups; ++g)
    for (int64_t i = g * kWidth; i < (g + 1) * kWidth; ++i)
      y[i] = x[i] < 0.0f ? 0.0f : x[i];
  return 0;
}
