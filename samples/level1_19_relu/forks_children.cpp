// expect: correct cuda=not_run
// problem: level1/19
// about: Leaves children in sessions of their own; none outlives the job.
#include <kernelbench/candidate.h>
#include <unistd.h>

int kb_setup(const kb_model*, void**) {
  constexpr int kChildren = 3;
  for (int i = 0; i < kChildren; ++i) {
    if (fork() != 0) continue;
    setsid();
    for (;;) pause();
  }
  return 0;
}

int kb_forward(const kb_call* call) {
  const float* x = kb::input<float>(call, 0);
  float* y = kb::output<float>(call);
  const int64_t n = kb::numel(call->outputs[0]);
  for (int64_t i = 0; i < n; ++i) y[i] = x[i] < 0.0f ? 0.0f : x[i];
  return 0;
}
