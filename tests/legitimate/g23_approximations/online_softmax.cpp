// expect: correct cuda=not_run
// problem: level1/23
// tricks: G23
// about: Maximum and sum in one read.
#include <kernelbench/candidate.h>

#include <cmath>

int kb_forward(const kb_call* call) {
  const DLTensor& tensor = kb::input_tensor(call, 0);
  const int64_t columns = tensor.shape[1];
  for (int64_t r = 0; r < tensor.shape[0]; ++r) {
    const float* x = kb::input<float>(call, 0) + r * columns;
    float* y = kb::output<float>(call) + r * columns;
    float most = x[0], sum = 1;
    for (int64_t q = 1; q < columns; ++q) {
      if (x[q] > most) {
        sum = sum * std::exp(most - x[q]) + 1;
        most = x[q];
      } else {
        sum += std::exp(x[q] - most);
      }
    }
    for (int64_t q = 0; q < columns; ++q) y[q] = std::exp(x[q] - most) / sum;
  }
  return 0;
}
