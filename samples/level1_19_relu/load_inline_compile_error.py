# expect: compile_error
# problem: level1/19
# about: The C++ in load_inline calls a method that tensors do not have.
import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

CPP_SOURCE = r"""
#include <torch/extension.h>

torch::Tensor relu(torch::Tensor x) { return x.rectify(); }
"""

extension = load_inline(
    name="relu_broken", cpp_sources=CPP_SOURCE, functions=["relu"]
)


class ModelNew(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return extension.relu(x)
