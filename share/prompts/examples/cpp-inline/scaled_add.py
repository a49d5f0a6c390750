import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

CPP_SOURCE = r"""
#include <torch/extension.h>

torch::Tensor scaled_add(torch::Tensor x, torch::Tensor y, double alpha) {
  const auto a = x.contiguous();
  const auto b = y.contiguous();
  auto out = torch::empty_like(a);
  const float* __restrict__ in_x = a.data_ptr<float>();
  const float* __restrict__ in_y = b.data_ptr<float>();
  float* __restrict__ result = out.data_ptr<float>();
  const float scale = static_cast<float>(alpha);
  const int64_t n = a.numel();
  for (int64_t i = 0; i < n; ++i) result[i] = scale * in_x[i] + in_y[i];
  return out;
}
"""

extension = load_inline(
    name="scaled_add_cpp",
    cpp_sources=CPP_SOURCE,
    functions=["scaled_add"],
    extra_cflags=["-O3", "-march=native"],
)


class ModelNew(nn.Module):
    def __init__(self, alpha: float) -> None:
        super().__init__()
        self.alpha = alpha

    def forward(self, x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
        return extension.scaled_add(x, y, self.alpha)
