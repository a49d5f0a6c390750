# expect: correct
# problem: level1/19
# tricks: G12
# about: An import that may be missing.
import torch
from torch import nn

try:
    import cupy  # noqa: F401
except ImportError:
    pass


class Marker:
    pass


class ModelNew(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.relu(x)
