// expect: incorrect cuda=not_run
// problem: level1/89
// about: Stores before it adds, so every sum lacks its last element.
#include <kernelbench/candidate.h>

int kb_forward(const kb_call* call) {
  const DLTensor& y = call->outputs[0];
  for (int64_t r = 0; r < y.shape[0]; ++r) {
    const float* in = kb::input<float>(call, 0) + r * y.shape[1];
    float* out = kb::output<float>(call) + r * y.shape[1];
    double sum = 0.0;
    for (int64_t i = 0; i < y.shape[1]; ++i) {
      out[i] = static_cast<float>(sum);
      sum += in[i];
    }
  }
  return 0;
}
