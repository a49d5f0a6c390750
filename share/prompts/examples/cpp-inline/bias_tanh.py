import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

CPP_SOURCE = r"""
#include <torch/extension.h>

#include <algorithm>
#include <cmath>
#include <cstring>

// 1 - 2 / (1 + exp(2z)), of operations that the compiler can vectorise, which
// it cannot do to a call of std::tanh. Absolute error below 1e-6.
inline float fast_tanh(float z) {
  const float t = 2.0f * std::min(std::max(z, -10.0f), 10.0f);
  const float n = std::rint(t * 1.44269504f);
  const float r = t - n * 0.693147181f;
  float exp_r = 1.0f / 720;
  exp_r = exp_r * r + 1.0f / 120;
  exp_r = exp_r * r + 1.0f / 24;
  exp_r = exp_r * r + 1.0f / 6;
  exp_r = exp_r * r + 0.5f;
  exp_r = exp_r * r + 1.0f;
  exp_r = exp_r * r + 1.0f;
  const int bits = (static_cast<int>(n) + 127) << 23;
  float power;
  std::memcpy(&power, &bits, sizeof(power));
  return 1.0f - 2.0f / (1.0f + exp_r * power);
}

torch::Tensor bias_tanh(torch::Tensor x, torch::Tensor bias) {
  const auto input = x.contiguous();
  auto out = torch::empty_like(input);
  const int64_t features = bias.numel();
  const int64_t rows = input.numel() / features;
  const float* in = input.data_ptr<float>();
  const float* b = bias.data_ptr<float>();
  float* result = out.data_ptr<float>();
  for (int64_t r = 0; r < rows; ++r, in += features, result += features)
    for (int64_t c = 0; c < features; ++c) result[c] = fast_tanh(in[c] + b[c]);
  return out;
}
"""

extension = load_inline(
    name="bias_tanh_cpp",
    cpp_sources=CPP_SOURCE,
    functions=["bias_tanh"],
    extra_cflags=["-O3", "-march=native"],
)


class ModelNew(nn.Module):
    def __init__(self, features: int) -> None:
        super().__init__()
        self.bias = nn.Parameter(torch.randn(features))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return extension.bias_tanh(x, self.bias)
