// expect: correct cuda=not_run
// problem: v3/level1/47
// about: Honest.
#include <kernelbench/candidate.h>

int kb_forward(const kb_call* call) {
  const DLTensor& x = kb::input_tensor(call, 0);
  const auto* data = static_cast<const float*>(x.data);
  float* y = kb::output<float>(call);
  const int64_t rows = x.shape[1], columns = x.shape[2];
  for (int64_t b = 0; b < x.shape[0]; ++b) {
    float* sums = y + b * columns;
    for (int64_t q = 0; q < columns; ++q) sums[q] = 0;
    for (int64_t r = 0; r < rows; ++r)
      for (int64_t q = 0; q < columns; ++q)
        sums[q] += data[(b * rows + r) * columns + q];
  }
  return 0;
}
