# expect: correct
# problem: level1/19
# about: An extension of C++ only that calls PyTorch's operators: it runs on every device.
import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

extension = load_inline(
    name="relu_aten",
    cpp_sources="torch::Tensor relu(torch::Tensor x) { return torch::clamp_min(x, 0); }",
    functions=["relu"],
)


class ModelNew(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return extension.relu(x)
