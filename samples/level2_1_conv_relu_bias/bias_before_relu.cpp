// expect: incorrect cuda=not_run
// problem: level2/1
// about: Adds the second bias before the ReLU, as is usual but not here.
#include <kernelbench/candidate.h>

#include <algorithm>

namespace {

const float* Weight(const kb_call* call, const char* name) {
  return static_cast<const float*>(kb::weight(call->model, name)->data);
}

}  // namespace

int kb_forward(const kb_call* call) {
  const int64_t* in = kb::input_tensor(call, 0).shape;
  const int64_t* out = call->outputs[0].shape;
  const int64_t kernel = kb::weight(call->model, "conv.weight")->shape[2];
  const float* conv_bias = Weight(call, "conv.bias");
  const float* bias = Weight(call, "bias");
  float* y = kb::output<float>(call);
  for (int64_t b = 0; b < out[0]; ++b)
    for (int64_t f = 0; f < out[1]; ++f)
      for (int64_t h = 0; h < out[2]; ++h, y += out[3]) {
        const float* w =
            Weight(call, "conv.weight") + f * in[1] * kernel * kernel;
        std::fill(y, y + out[3], conv_bias[f]);
        for (int64_t c = 0; c < in[1]; ++c)
          for (int64_t r = 0; r < kernel; ++r)
            for (int64_t s = 0; s < kernel; ++s, ++w) {
              const float* x = kb::input<float>(call, 0) +
                               ((b * in[1] + c) * in[2] + h + r) * in[3] + s;
              for (int64_t i = 0; i < out[3]; ++i) y[i] += *w * x[i];
            }
        for (int64_t i = 0; i < out[3]; ++i)
          y[i] = std::max(y[i] + bias[f], 0.0f);
      }
  return 0;
}
