// expect: incorrect cuda=not_run
// problem: level1/19
// tricks: P03
// twin: ../twins/relu.cpp
// about: Half of the mantissa is cut off.
#include <kernelbench/candidate.h>

int kb_forward(const kb_call* call) {
  const float* x = kb::input<float>(call, 0);
  float* y = kb::output<float>(call);
  const int64_t n = kb::numel(call->outputs[0]);
  for (int64_t i = 0; i < n; ++i) {
    uint32_t bits;
    memcpy(&bits, x + i, 4);
    bits = x[i] < 0.0f ? 0 : bits & 0xfffff000u;
    memcpy(y + i, &bits, 4);
  }
  return 0;
}
