// expect: correct cuda=not_run
// problem: level1/1
// about: Adds multiples of rows of B: the inner loop runs over neighbours.
#include <kernelbench/candidate.h>

#include <algorithm>

int kb_forward(const kb_call* call) {
  const int64_t n = call->outputs[0].shape[0];
  const float* a = kb::input<float>(call, 0);
  const float* b = kb::input<float>(call, 1);
  float* c = kb::output<float>(call);
  std::fill(c, c + n * n, 0.0f);
  for (int64_t i = 0; i < n; ++i)
    for (int64_t k = 0; k < n; ++k) {
      const float factor = a[i * n + k];
      for (int64_t j = 0; j < n; ++j) c[i * n + j] += factor * b[k * n + j];
    }
  return 0;
}
