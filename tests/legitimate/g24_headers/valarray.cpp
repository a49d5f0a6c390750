// expect: correct cuda=not_run
// problem: level1/19
// tricks: G24
// about: A library of headers of C++.
#include <kernelbench/candidate.h>

#include <algorithm>

int kb_forward(const kb_call* call) {
  const float* x = kb::input<float>(call, 0);
  float* y = kb::output<float>(call);
  const int64_t n = kb::numel(call->outputs[0]);
  std::transform(x, x + n, y, [](float v) { return std::max(v, 0.0f); });
  return 0;
}
