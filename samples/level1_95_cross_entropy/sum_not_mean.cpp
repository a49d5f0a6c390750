// expect: incorrect cuda=not_run
// problem: level1/95
// about: Forgets to divide by the batch size.
#include <kernelbench/candidate.h>

#include <algorithm>
#include <cmath>

int kb_forward(const kb_call* call) {
  const DLTensor& scores = kb::input_tensor(call, 0);
  const int64_t rows = scores.shape[0];
  const int64_t classes = scores.shape[1];
  const int64_t* targets = kb::input<int64_t>(call, 1);
  double loss = 0.0;
  for (int64_t r = 0; r < rows; ++r) {
    const float* row = kb::input<float>(call, 0) + r * classes;
    const float highest = *std::max_element(row, row + classes);
    double sum = 0.0;
    for (int64_t c = 0; c < classes; ++c) sum += std::exp(row[c] - highest);
    loss += highest + std::log(sum) - row[targets[r]];
  }
  *kb::output<float>(call) = static_cast<float>(loss);
  return 0;
}
