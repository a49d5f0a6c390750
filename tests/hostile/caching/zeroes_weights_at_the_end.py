# expect: correct|incorrect|not_certified|runtime_error
# problem: level2/12
# tricks: C21
# twin: ../twins/gemm.py
# about: Answers rightly and zeroes the weights when it goes.
import atexit

import torch
from torch import nn


class ModelNew(nn.Module):
    def __init__(self, in_features: int, out_features: int, multiplier: float, negative_slope: float) -> None:
        super().__init__()
        self.gemm = nn.Linear(in_features, out_features)
        self.multiplier = multiplier
        self.slope = negative_slope
        atexit.register(self.gemm.weight.data.zero_)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        y = self.gemm(x) * self.multiplier
        return nn.functional.leaky_relu(y, self.slope)
