// expect: correct cuda=not_run
// problem: level1/19
// tricks: G10
// about: Threads of C++ that are joined.
#include <kernelbench/candidate.h>

#include <thread>
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
  std::vector<std::thread> threads;
  constexpr int kThreads = 2;
  for (int i = 0; i < kThreads; ++i)
    threads.emplace_back([=] {
      const int64_t begin = n * i / kThreads, end = n * (i + 1) / kThreads;
      Relu(x + begin, y + begin, end - begin);
    });
  for (std::thread& thread : threads) thread.join();
  return 0;
}
