// expect: incorrect cuda=not_run
// problem: level1/23
// tricks: P08
// twin: ../twins/softmax.cpp
// about: Softmax without taking the maximum away.
#include <kernelbench/candidate.h>

#include <cmath>

int kb_forward(const kb_call* call) {
  const DLTensor& tensor = kb::input_tensor(call, 0);
  const int64_t columns = tensor.shape[1];
  for (int64_t r = 0; r < tensor.shape[0]; ++r) {
    const float* x = kb::input<float>(call, 0) + r * columns;
    float* y = kb::output<float>(call) + r * columns;
    float sum = 0;
    for (int64_t q = 0; q < columns; ++q) sum += y[q] = std::exp(x[q]);
    for (int64_t q = 0; q < columns; ++q) y[q] /= sum;
  }
  return 0;
}
