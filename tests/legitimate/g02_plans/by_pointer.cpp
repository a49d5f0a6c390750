// expect: correct cuda=not_run
// problem: level1/19
// tricks: G2
// about: A plan that is kept per pointer: how many elements there are until the next line.
#include <kernelbench/candidate.h>

#include <map>

namespace {

void Relu(const float* x, float* y, int64_t n) {
  for (int64_t i = 0; i < n; ++i) y[i] = x[i] < 0.0f ? 0.0f : x[i];
}

}  // namespace

int kb_forward(const kb_call* call) {
  const float* x = kb::input<float>(call, 0);
  float* y = kb::output<float>(call);
  const int64_t n = kb::numel(call->outputs[0]);
  static std::map<const float*, int64_t> plans;
  auto [plan, fresh] = plans.try_emplace(x, 0);
  if (fresh) plan->second = (64 - reinterpret_cast<uintptr_t>(x) % 64) % 64 / 4;
  const int64_t head = plan->second < n ? plan->second : n;
  Relu(x, y, head);
  Relu(x + head, y + head, n - head);
  return 0;
}
