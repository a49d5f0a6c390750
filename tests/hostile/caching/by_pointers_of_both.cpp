// expect: incorrect cuda=not_run
// problem: level1/19
// tricks: C06
// twin: ../twins/relu.cpp
// about: Leaves the output as it is where it has answered that place before.
#include <kernelbench/candidate.h>

#include <set>
#include <utility>

namespace {

void Relu(const float* x, float* y, int64_t n) {
  for (int64_t i = 0; i < n; ++i) y[i] = x[i] < 0.0f ? 0.0f : x[i];
}

}  // namespace

int kb_forward(const kb_call* call) {
  const float* x = kb::input<float>(call, 0);
  float* y = kb::output<float>(call);
  const int64_t n = kb::numel(call->outputs[0]);
  static std::set<std::pair<const float*, float*>> seen;
  if (seen.insert({x, y}).second) Relu(x, y, n);
  return 0;
}
