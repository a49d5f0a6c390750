// expect: incorrect|correct|runtime_error cuda=not_run
// problem: level1/19
// tricks: T10
// twin: ../twins/relu.cpp
// about: Computes what lies in the next slot already, and skips it when its turn comes.
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
  static const float* done = nullptr;
  static const float* before = nullptr;
  if (x != done) Relu(x, y, n);
  const int64_t step = before == nullptr ? 0 : x - before;
  before = x;
  done = nullptr;
  if (step > 0 && step < 2 * n) {
    done = x + step;
    Relu(done, y + step, n);
  }
  return 0;
}
