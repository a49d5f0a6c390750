# expect: correct cuda=runtime_error
# problem: level1/89
# about: load_inline with C++: rows in parallel, a double running sum in each.
import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

CPP_SOURCE = r"""
#include <ATen/Parallel.h>
#include <torch/extension.h>

torch::Tensor cumsum_rows(torch::Tensor x) {
  const auto input = x.contiguous();
  auto output = torch::empty_like(input);
  const float* in = input.data_ptr<float>();
  float* out = output.data_ptr<float>();
  const int64_t length = input.size(1);
  at::parallel_for(0, input.size(0), 1, [&](int64_t begin, int64_t end) {
    for (int64_t row = begin; row < end; ++row) {
      double sum = 0;
      for (int64_t i = row * length; i < (row + 1) * length; ++i) {
        sum += in[i];
        out[i] = static_cast<float>(sum);
      }
    }
  });
  return output;
}
"""

extension = load_inline(
    name="cumsum_cpp",
    cpp_sources=CPP_SOURCE,
    functions=["cumsum_rows"],
    extra_cflags=["-O3"],
)


class ModelNew(nn.Module):
    def __init__(self, dim: int) -> None:
        super().__init__()
        assert dim == 1, "sums run along the rows"

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return extension.cumsum_rows(x)
