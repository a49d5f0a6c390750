// expect: correct cuda=not_run
// problem: level1/36
// about: Leaves out eps: 2e-5 off on inputs from [0, 1), under 1e-4.
#include <kernelbench/candidate.h>

#include <cmath>

int kb_forward(const kb_call* call) {
  const DLTensor& y = call->outputs[0];
  const int64_t features = y.shape[1];
  const int64_t plane = kb::numel(y) / (y.shape[0] * features);
  for (int64_t b = 0; b < y.shape[0]; ++b)
    for (int64_t i = 0; i < plane; ++i) {
      const int64_t first = b * features * plane + i;
      const float* in = kb::input<float>(call, 0) + first;
      float* out = kb::output<float>(call) + first;
      float sum = 0.0f;
      for (int64_t f = 0; f < features; ++f)
        sum += in[f * plane] * in[f * plane];
      const float scale = 1.0f / std::sqrt(sum / static_cast<float>(features));
      for (int64_t f = 0; f < features; ++f)
        out[f * plane] = in[f * plane] * scale;
    }
  return 0;
}
