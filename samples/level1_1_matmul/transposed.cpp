// expect: incorrect cuda=not_run
// problem: level1/1
// about: Reads B by rows instead of columns: A times B transposed.
#include <kernelbench/candidate.h>

int kb_forward(const kb_call* call) {
  const int64_t n = call->outputs[0].shape[0];
  const float* a = kb::input<float>(call, 0);
  const float* b = kb::input<float>(call, 1);
  float* c = kb::output<float>(call);
  for (int64_t i = 0; i < n; ++i)
    for (int64_t j = 0; j < n; ++j) {
      float sum = 0.0f;
      for (int64_t k = 0; k < n; ++k) sum += a[i * n + k] * b[j * n + k];
      c[i * n + j] = sum;
    }
  return 0;
}
