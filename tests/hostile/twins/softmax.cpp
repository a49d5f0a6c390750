// expect: correct cuda=not_run
// problem: level1/23
// about: Honest.
#include <kernelbench/candidate.h>

#include <algorithm>
#include <cmath>

int kb_forward(const kb_call* call) {
  const DLTensor& tensor = kb::input_tensor(call, 0);
  const int64_t columns = tensor.shape[1];
  for (int64_t r = 0; r < tensor.shape[0]; ++r) {
    const float* x = kb::input<float>(call, 0) + r * columns;
    float* y = kb::output<float>(call) + r * columns;
    float sum = 0;
    const float most = *std::max_element(x, x + columns);
    for (int64_t q = 0; q < columns; ++q) sum += y[q] = std::exp(x[q] - most);
    for (int64_t q = 0; q < columns; ++q) y[q] /= sum;
  }
  return 0;
}
