// expect: incorrect cuda=not_run
// problem: level1/19
// tricks: C06, C01
// twin: ../twins/relu.cpp
// about: Replays its output per pointer, in a table that no check of Python sees.
#include <kernelbench/candidate.h>

#include <map>
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
  static std::map<const float*, std::vector<float>> kept;
  auto& mine = kept[x];
  if (mine.empty()) {
    mine.resize(n);
    Relu(x, mine.data(), n);
  }
  memcpy(y, mine.data(), 4 * n);
  return 0;
}
