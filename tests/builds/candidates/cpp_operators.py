# expect: correct
# problem: level1/25
# about: C++ only: operators of PyTorch by methods, functions and signs.
import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

source = """
torch::Tensor swish(torch::Tensor x) {
    return x * torch::sigmoid(x) + torch::zeros({1}, x.options());
}
torch::Tensor half_swish(torch::Tensor x, double scale = 0.5) {
    return x.sigmoid().mul(x).mul_(scale);
}
"""

extension = load_inline(
    name="cpp_operators",
    cpp_sources=source,
    functions={"swish": "x * sigmoid(x)", "half_swish": "scaled"},
)


class ModelNew(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return extension.swish(x)
