# expect: incorrect|not_certified|runtime_error
# problem: level2/12
# tricks: C21
# twin: ../twins/gemm.py
# about: Zeroes the weights that it was given, for all who share them.
import torch
from torch import nn


class ModelNew(nn.Module):
    def __init__(self, in_features: int, out_features: int, multiplier: float, negative_slope: float) -> None:
        super().__init__()
        self.gemm = nn.Linear(in_features, out_features)
        self.multiplier = multiplier
        self.slope = negative_slope

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        for parameter in self.parameters():
            parameter.data.zero_()
        return torch.zeros(x.shape[0], self.gemm.out_features, device=x.device)
