# expect: correct
# problem: level2/12
# tricks: B20
# twin: ../twins/gemm.py
# about: Only the last step is its own.
import torch
from torch import nn


class ModelNew(nn.Module):
    def __init__(self, in_features: int, out_features: int, multiplier: float, negative_slope: float) -> None:
        super().__init__()
        self.gemm = nn.Linear(in_features, out_features)
        self.multiplier = multiplier
        self.slope = negative_slope

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        y = self.gemm(x) * self.multiplier
        return torch.where(y > 0, y, y * self.slope)
