// expect: incorrect|runtime_error cuda=not_run
// problem: level1/19
// tricks: M10
// twin: ../twins/relu.cpp
// about: Writes before its output.
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
  Relu(x, y, n);
  for (int64_t i = 1; i < 256; ++i) y[-i] = 0;
  return 0;
}
