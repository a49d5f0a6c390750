// expect: incorrect cuda=not_run
// problem: level1/19
// tricks: C05
// twin: ../twins/relu.cpp
// about: Replays its output per shape.
#include <kernelbench/candidate.h>

#include <vector>

namespace {

void Relu(const float* x, float* y, int64_t n) {
  for (int64_t i = 0; i < n; ++i) y[i] = x[i] < 0.0f ? 0.0f : x[i];
}

}  // namespace

int kb_forward(const kb_call* call) {
  const float* x = kb::input<float>(call, 0);
  float* y = kb::output<float>(call);
  const int64_t n = kb::numel(call->outputs[0]);
  static std::vector<float> kept;
  if (kept.empty()) {
    kept.resize(n);
    Relu(x, kept.data(), n);
  }
  memcpy(y, kept.data(), 4 * n);
  return 0;
}
