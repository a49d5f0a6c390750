// expect: incorrect cuda=not_run
// problem: level1/40
// about: Divides by the variance instead of its root.
#include <kernelbench/candidate.h>

int kb_forward(const kb_call* call) {
  const DLTensor& y = call->outputs[0];
  const int64_t rows = y.shape[0];
  const int64_t n = kb::numel(y) / rows;
  for (int64_t r = 0; r < rows; ++r) {
    const float* in = kb::input<float>(call, 0) + r * n;
    float* out = kb::output<float>(call) + r * n;
    double sum = 0.0;
    double squares = 0.0;
    for (int64_t i = 0; i < n; ++i) {
      sum += in[i];
      squares += static_cast<double>(in[i]) * in[i];
    }
    const double mean = sum / n;
    const double variance = squares / n - mean * mean;
    for (int64_t i = 0; i < n; ++i)
      out[i] = static_cast<float>((in[i] - mean) / (variance + 1e-5));
  }
  return 0;
}
