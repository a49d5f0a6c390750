// expect: correct cuda=not_run
// problem: level1/23
// tricks: G23
// about: Maximum and sum in one read, in sixteen lanes that are joined.
#include <kernelbench/candidate.h>

#include <cmath>

int kb_forward(const kb_call* call) {
  const DLTensor& tensor = kb::input_tensor(call, 0);
  const int64_t columns = tensor.shape[1];
  for (int64_t r = 0; r < tensor.shape[0]; ++r) {
    const float* x = kb::input<float>(call, 0) + r * columns;
    float* y = kb::output<float>(call) + r * columns;
    float tops[16], sums[16] = {};
    for (float& top : tops) top = -INFINITY;
    for (int64_t q = 0; q < columns; ++q) {
      float& top = tops[q % 16];
      float& sum = sums[q % 16];
      if (x[q] > top) {
        sum = sum * std::exp(top - x[q]) + 1;
        top = x[q];
      } else {
        sum += std::exp(x[q] - top);
      }
    }
    float most = tops[0], sum = 0;
    for (const float top : tops) most = top > most ? top : most;
    for (int i = 0; i < 16; ++i) sum += sums[i] * std::exp(tops[i] - most);
    for (int64_t q = 0; q < columns; ++q) y[q] = std::exp(x[q] - most) / sum;
  }
  return 0;
}
