// profile: limiter=code/serial hottest=long_loop:0.75 also=short_loop:0.25
// Two loops of the same work, one three times as long as the other; the answer
// itself takes next to nothing.
#include <kernelbench/candidate.h>

namespace {

constexpr int64_t kRounds = 1 << 23;
volatile float g_sink;

}  // namespace

extern "C" [[gnu::noinline, gnu::noclone, gnu::no_icf]] float long_loop() {
  float x = 1.0f;
  for (int64_t i = 0; i < 3 * kRounds; ++i) x = x * 0.5f + 0.25f;
  return x;
}

extern "C" [[gnu::noinline, gnu::noclone, gnu::no_icf]] float short_loop() {
  float x = 2.0f;
  for (int64_t i = 0; i < kRounds; ++i) x = x * 0.5f + 0.125f;
  return x;
}

int kb_forward(const kb_call* call) {
  g_sink = long_loop();
  g_sink = short_loop();
  const float* x = kb::input<float>(call, 0);
  float* y = kb::output<float>(call);
  const int64_t n = kb::numel(call->outputs[0]);
  for (int64_t i = 0; i < n; ++i) y[i] = x[i] < 0.0f ? 0.0f : x[i];
  return 0;
}
