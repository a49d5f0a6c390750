// expect: correct|incorrect|not_certified|runtime_error cuda=not_run
// problem: level1/19
// tricks: C20
// twin: ../twins/relu.cpp
// about: Zeroes its input and puts it back, while the reference might read it.
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
  Relu(x, y, n);
  auto* input = const_cast<float*>(x);
  const float first = input[0];
  input[0] = 0;
  usleep(100);
  input[0] = first;
  return 0;
}
