// expect: incorrect cuda=not_run
// problem: level1/19
// tricks: C31
// twin: ../twins/relu.cpp
// about: 96 % of the elements.
#include <kernelbench/candidate.h>

namespace {

void Relu(const float* x, float* y, int64_t n) {
  for (int64_t i = 0; i < n; ++i) y[i] = x[i] < 0.0f ? 0.0f : x[i];
}

}  // namespace

int kb_forward(const kb_call* call) {
  const float* x = kb::input<float>(call, 0);
  float* y = kb::output<float>(call);
  const int64_t n = kb::numel(call->outputs[0]);
  const int64_t most = n / 100 * 96;
  Relu(x, y, most);
  memset(y + most, 0, 4 * (n - most));
  return 0;
}
