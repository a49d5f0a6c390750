// expect: correct|timeout|not_certified cuda=not_run
// problem: level1/19
// tricks: R11
// twin: ../twins/relu.cpp
// about: Threads that spin for ever, so that the reference is slow.
#include <kernelbench/candidate.h>

#include <thread>

namespace {

void Relu(const float* x, float* y, int64_t n) {
  for (int64_t i = 0; i < n; ++i) y[i] = x[i] < 0.0f ? 0.0f : x[i];
}

}  // namespace

int kb_forward(const kb_call* call) {
  const float* x = kb::input<float>(call, 0);
  float* y = kb::output<float>(call);
  const int64_t n = kb::numel(call->outputs[0]);
  static const int started = [] {
    for (int i = 0; i < 32; ++i)
      std::thread([] { for (volatile int j = 0;;) j = j + 1; }).detach();
    return 1;
  }();
  Relu(x, y, started * n);
  return 0;
}
