// expect: incorrect|not_certified cuda=not_run
// problem: level1/19
// tricks: T03
// twin: ../twins/relu.cpp
// about: Returns at once; a thread fills the output.
#include <kernelbench/candidate.h>

#include <chrono>
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
  std::thread([=] {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    Relu(x, y, n);
  }).detach();
  return 0;
}
