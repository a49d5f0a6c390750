import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

CPP_SOURCE = r"""
#include <torch/extension.h>

#include <cmath>

// One pass: bias, GELU and sum are done while the element is in a register.
torch::Tensor fused_gelu(torch::Tensor x, torch::Tensor bias) {
  const auto input = x.contiguous();
  auto out = torch::empty_like(input);
  const int64_t features = bias.numel();
  const int64_t rows = input.numel() / features;
  const float* in = input.data_ptr<float>();
  const float* b = bias.data_ptr<float>();
  float* result = out.data_ptr<float>();
  constexpr float kRootHalf = 0.70710678118654752f;
#pragma omp parallel for
  for (int64_t r = 0; r < rows; ++r)
    for (int64_t c = 0; c < features; ++c) {
      const float value = in[r * features + c] + b[c];
      const float gelu = 0.5f * value * (1.0f + std::erf(value * kRootHalf));
      result[r * features + c] = in[r * features + c] + gelu;
    }
  return out;
}
"""

extension = load_inline(
    name="fused_gelu_cpp",
    cpp_sources=CPP_SOURCE,
    functions=["fused_gelu"],
    extra_cflags=["-O3", "-march=native", "-fopenmp"],
)


class ModelNew(nn.Module):
    def __init__(self, features: int) -> None:
        super().__init__()
        self.bias = nn.Parameter(torch.randn(features))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return extension.fused_gelu(x, self.bias)
