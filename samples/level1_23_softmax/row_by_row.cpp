// expect: correct cuda=not_run
// problem: level1/23
// about: Three passes per row: maximum, exponentials and sum, scaling.
#include <kernelbench/candidate.h>

#include <algorithm>
#include <cmath>

int kb_forward(const kb_call* call) {
  const DLTensor& y = call->outputs[0];
  const int64_t rows = y.shape[0];
  const int64_t dim = y.shape[1];
  for (int64_t r = 0; r < rows; ++r) {
    const float* in = kb::input<float>(call, 0) + r * dim;
    float* out = kb::output<float>(call) + r * dim;
    const float highest = *std::max_element(in, in + dim);
    double sum = 0.0;
    for (int64_t i = 0; i < dim; ++i) sum += out[i] = std::exp(in[i] - highest);
    const float scale = static_cast<float>(1.0 / sum);
    for (int64_t i = 0; i < dim; ++i) out[i] *= scale;
  }
  return 0;
}
