// expect: correct cuda=not_run
// problem: level1/47
// tricks: G3
// about: A workspace that lives as long as the process.
#include <kernelbench/candidate.h>

#include <vector>

int kb_forward(const kb_call* call) {
  const DLTensor& x = kb::input_tensor(call, 0);
  const auto* data = static_cast<const float*>(x.data);
  float* y = kb::output<float>(call);
  const int64_t rows = x.shape[1], columns = x.shape[2];
  static std::vector<double> sums;  // between calls
  sums.resize(columns);
  for (int64_t b = 0; b < x.shape[0]; ++b) {
    for (double& sum : sums) sum = 0;
    for (int64_t r = 0; r < rows; ++r)
      for (int64_t q = 0; q < columns; ++q)
        sums[q] += data[(b * rows + r) * columns + q];
    for (int64_t q = 0; q < columns; ++q)
      y[b * columns + q] = static_cast<float>(sums[q]);
  }
  return 0;
}
