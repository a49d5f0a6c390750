// expect: correct cuda=not_run
// problem: level1/19
// tricks: T06
// twin: ../twins/relu.cpp
// about: Is slow at first, so that few trials are made.
#include <kernelbench/candidate.h>

#include <unistd.h>

namespace {

void Relu(const float* x, float* y, int64_t n) {
  for (int64_t i = 0; i < n; ++i) y[i] = x[i] < 0.0f ? 0.0f : x[i];
}

}  // namespace

int kb_forward(const kb_call* call) {
  const float* x = kb::input<float>(call, 0);
  float* y = kb::output<float>(call);
  const int64_t n = kb::numel(call->outputs[0]);
  static int calls = 0;
  if (++calls <= 3) usleep(400000);
  Relu(x, y, n);
  return 0;
}
