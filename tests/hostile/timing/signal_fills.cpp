// expect: incorrect|not_certified|runtime_error cuda=not_run
// problem: level1/19
// tricks: T03
// twin: ../twins/relu.cpp
// about: A signal interrupts the host later and fills the output.
#include <kernelbench/candidate.h>

#include <signal.h>
#include <unistd.h>

namespace {

void Relu(const float* x, float* y, int64_t n) {
  for (int64_t i = 0; i < n; ++i) y[i] = x[i] < 0.0f ? 0.0f : x[i];
}

const float* from = nullptr;
float* to = nullptr;
int64_t count = 0;

void Fill(int) { Relu(from, to, count); }

}  // namespace

int kb_forward(const kb_call* call) {
  const float* x = kb::input<float>(call, 0);
  float* y = kb::output<float>(call);
  const int64_t n = kb::numel(call->outputs[0]);
  from = x;
  to = y;
  count = n;
  signal(SIGALRM, Fill);
  ualarm(20000, 0);
  return 0;
}
