// expect: correct cuda=not_run
// problem: level1/19
// tricks: G25
// about: The sign bit makes the mask.
#include <kernelbench/candidate.h>

int kb_forward(const kb_call* call) {
  const float* x = kb::input<float>(call, 0);
  float* y = kb::output<float>(call);
  const int64_t n = kb::numel(call->outputs[0]);
  for (int64_t i = 0; i < n; ++i) {
    int32_t bits;
    memcpy(&bits, x + i, 4);
    bits &= ~(bits >> 31);
    memcpy(y + i, &bits, 4);
  }
  return 0;
}
