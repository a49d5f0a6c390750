// expect: correct cuda=not_run
// problem: level1/36
// about: Walks whole planes in memory order, with one accumulator per pixel.
#include <kernelbench/candidate.h>

#include <cmath>
#include <vector>

int kb_forward(const kb_call* call) {
  const DLTensor& y = call->outputs[0];
  const kb_model* model = call->model;
  const double eps = model->init_count > 1 ? kb::number(model->init[1]) : 1e-5;
  const int64_t features = y.shape[1];
  const int64_t plane = kb::numel(y) / (y.shape[0] * features);
  std::vector<float> scale(static_cast<size_t>(plane));
  for (int64_t b = 0; b < y.shape[0]; ++b) {
    const float* in = kb::input<float>(call, 0) + b * features * plane;
    float* out = kb::output<float>(call) + b * features * plane;
    scale.assign(scale.size(), 0.0f);
    for (int64_t f = 0; f < features; ++f)
      for (int64_t i = 0; i < plane; ++i)
        scale[i] += in[f * plane + i] * in[f * plane + i];
    for (float& s : scale)
      s = static_cast<float>(1.0 / std::sqrt(s / features + eps));
    for (int64_t f = 0; f < features; ++f)
      for (int64_t i = 0; i < plane; ++i)
        out[f * plane + i] = in[f * plane + i] * scale[i];
  }
  return 0;
}
