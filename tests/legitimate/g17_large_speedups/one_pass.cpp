// expect: correct cuda=not_run
// problem: level1/39
// tricks: G17
// about: One pass where the reference takes many.
#include <kernelbench/candidate.h>

#include <cmath>

int kb_forward(const kb_call* call) {
  const DLTensor& tensor = kb::input_tensor(call, 0);
  const int64_t columns = tensor.shape[1];
  for (int64_t r = 0; r < tensor.shape[0]; ++r) {
    const float* x = kb::input<float>(call, 0) + r * columns;
    float* y = kb::output<float>(call) + r * columns;
    double sums[8] = {};
    int64_t q = 0;
    for (; q + 8 <= columns; q += 8)
      for (int i = 0; i < 8; ++i) sums[i] += double{x[q + i]} * x[q + i];
    for (; q < columns; ++q) sums[0] += double{x[q]} * x[q];
    double sum = 0;
    for (const double part : sums) sum += part;
    const auto factor = static_cast<float>(1 / std::sqrt(sum));
    for (q = 0; q < columns; ++q) y[q] = x[q] * factor;
  }
  return 0;
}
