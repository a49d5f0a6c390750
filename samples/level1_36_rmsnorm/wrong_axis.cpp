// expect: incorrect cuda=not_run
// problem: level1/36
// about: Takes the mean over the last dimension instead of dimension 1.
#include <kernelbench/candidate.h>

#include <cmath>

int kb_forward(const kb_call* call) {
  const DLTensor& y = call->outputs[0];
  const int64_t width = y.shape[y.ndim - 1];
  const int64_t rows = kb::numel(y) / width;
  for (int64_t r = 0; r < rows; ++r) {
    const float* in = kb::input<float>(call, 0) + r * width;
    float* out = kb::output<float>(call) + r * width;
    double sum = 0.0;
    for (int64_t i = 0; i < width; ++i) sum += in[i] * in[i];
    const double scale = 1.0 / std::sqrt(sum / width + 1e-5);
    for (int64_t i = 0; i < width; ++i)
      out[i] = static_cast<float>(in[i] * scale);
  }
  return 0;
}
