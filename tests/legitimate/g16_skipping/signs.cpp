// expect: correct cuda=not_run
// problem: level1/19
// tricks: G16
// about: A block without negative numbers is copied.
#include <kernelbench/candidate.h>

namespace {

void Relu(const float* x, float* y, int64_t n) {
  for (int64_t i = 0; i < n; ++i) y[i] = x[i] < 0.0f ? 0.0f : x[i];
}

}  // namespace

int kb_forward(const kb_call* call) {
  const float* x = kb::input<float>(call, 0);
  float* y = kb::output<float>(call);
  const int64_t n = kb::numel(call->outputs[0]);
  constexpr int64_t kBlock = 64;
  for (int64_t at = 0; at < n; at += kBlock) {
    const int64_t count = n - at < kBlock ? n - at : kBlock;
    bool any = false;
    for (int64_t i = at; i < at + count; ++i) any |= !(x[i] >= 0.0f);
    if (any)
      Relu(x + at, y + at, count);
    else
      memcpy(y + at, x + at, 4 * count);
  }
  return 0;
}
