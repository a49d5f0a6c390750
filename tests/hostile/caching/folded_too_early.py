# expect: correct
# problem: level2/12
# tricks: C10
# twin: ../twins/gemm.py
# about: Folds the weights that it drew itself: the same as the problem's, for both are drawn from one seed.
import torch
from torch import nn


class ModelNew(nn.Module):
    def __init__(self, in_features: int, out_features: int, multiplier: float, negative_slope: float) -> None:
        super().__init__()
        self.gemm = nn.Linear(in_features, out_features)
        self.multiplier = multiplier
        self.slope = negative_slope
        self.folded = (self.gemm.weight * multiplier).t().detach().clone()
        self.offset = (self.gemm.bias * multiplier).detach().clone()

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        y = x @ self.folded.to(x.device) + self.offset.to(x.device)
        return nn.functional.leaky_relu(y, self.slope)
