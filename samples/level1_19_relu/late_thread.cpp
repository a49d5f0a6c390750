// expect: incorrect|not_certified cuda=not_run
// problem: level1/19
// about: Returns at once; a thread fills the output 50 ms later.
#include <kernelbench/candidate.h>

#include <chrono>
#include <thread>

int kb_forward(const kb_call* call) {
  const float* x = kb::input<float>(call, 0);
  float* y = kb::output<float>(call);
  const int64_t n = kb::numel(call->outputs[0]);
  std::thread([=] {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    for (int64_t i = 0; i < n; ++i) y[i] = x[i] < 0.0f ? 0.0f : x[i];
  }).detach();
  return 0;
}
