// expect: correct cuda=not_run
// problem: level1/40
// about: Mean first, then the variance around it, in double.
#include <kernelbench/candidate.h>

#include <cmath>

int kb_forward(const kb_call* call) {
  constexpr double kEps = 1e-5;  // nn.LayerNorm's default
  const DLTensor& y = call->outputs[0];
  const int64_t rows = y.shape[0];
  const int64_t n = kb::numel(y) / rows;
  const auto* gamma =
      static_cast<const float*>(kb::weight(call->model, "ln.weight")->data);
  const auto* beta =
      static_cast<const float*>(kb::weight(call->model, "ln.bias")->data);
  for (int64_t r = 0; r < rows; ++r) {
    const float* in = kb::input<float>(call, 0) + r * n;
    float* out = kb::output<float>(call) + r * n;
    double sum = 0.0;
    for (int64_t i = 0; i < n; ++i) sum += in[i];
    const double mean = sum / n;
    double squares = 0.0;
    for (int64_t i = 0; i < n; ++i) squares += (in[i] - mean) * (in[i] - mean);
    const double scale = 1.0 / std::sqrt(squares / n + kEps);
    for (int64_t i = 0; i < n; ++i)
      out[i] = static_cast<float>((in[i] - mean) * scale) * gamma[i] + beta[i];
  }
  return 0;
}
