# expect: correct cuda=runtime_error
# problem: level1/47
# about: load_inline with C++: adds whole rows, so the inner loop is contiguous.
import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

CPP_SOURCE = r"""
#include <torch/extension.h>

torch::Tensor sum_rows(torch::Tensor x) {
  const auto input = x.contiguous();
  const int64_t rows = input.size(1);
  const int64_t columns = input.size(2);
  auto output = torch::zeros({input.size(0), 1, columns}, input.options());
  const float* in = input.data_ptr<float>();
  float* out = output.data_ptr<float>();
  for (int64_t b = 0; b < input.size(0); ++b, out += columns)
    for (int64_t r = 0; r < rows; ++r, in += columns)
      for (int64_t c = 0; c < columns; ++c) out[c] += in[c];
  return output;
}
"""

extension = load_inline(
    name="sum_cpp",
    cpp_sources=CPP_SOURCE,
    functions=["sum_rows"],
    extra_cflags=["-O3"],
)


class ModelNew(nn.Module):
    def __init__(self, dim: int) -> None:
        super().__init__()
        assert dim == 1, "the middle dimension is added up"

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return extension.sum_rows(x)
