// expect: correct cuda=not_run
// problem: level1/19
// tricks: G21
// about: Reads a tuning variable.
#include <kernelbench/candidate.h>

#include <stdlib.h>

namespace {

void Relu(const float* x, float* y, int64_t n) {
  for (int64_t i = 0; i < n; ++i) y[i] = x[i] < 0.0f ? 0.0f : x[i];
}

}  // namespace

int kb_forward(const kb_call* call) {
  const float* x = kb::input<float>(call, 0);
  float* y = kb::output<float>(call);
  const int64_t n = kb::numel(call->outputs[0]);
  static const char* const block = getenv("RELU_BLOCK");
  const int64_t step = block == nullptr ? 4096 : 1 + atol(block);
  for (int64_t at = 0; at < n; at += step) Relu(x + at, y + at, step < n - at ? step : n - at);
  return 0;
}
