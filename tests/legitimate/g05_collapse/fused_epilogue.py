# expect: correct
# problem: level2/12
# tricks: G5
# about: The constant and the slope are one number on each side.
import torch
from torch import nn


class ModelNew(nn.Module):
    def __init__(self, in_features: int, out_features: int, multiplier: float, negative_slope: float) -> None:
        super().__init__()
        self.gemm = nn.Linear(in_features, out_features)
        self.multiplier = multiplier
        self.slope = negative_slope

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        y = nn.functional.linear(x, self.gemm.weight, self.gemm.bias)
        return torch.where(y > 0, y * self.multiplier, y * (self.multiplier * self.slope))
