# expect: correct cuda=runtime_error
# problem: level1/19
# about: A C++ extension built with load_inline; parallel over the cores.
import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

CPP_SOURCE = r"""
#include <ATen/Parallel.h>
#include <torch/extension.h>

torch::Tensor relu(torch::Tensor x) {
  const auto input = x.contiguous();
  auto output = torch::empty_like(input);
  const float* in = input.data_ptr<float>();
  float* out = output.data_ptr<float>();
  at::parallel_for(0, input.numel(), 1 << 16, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) out[i] = in[i] < 0 ? 0 : in[i];
  });
  return output;
}
"""

extension = load_inline(
    name="relu_cpp",
    cpp_sources=CPP_SOURCE,
    functions=["relu"],
    extra_cflags=["-O3"],
)


class ModelNew(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return extension.relu(x)
