# expect: incorrect
# problem: level1/21
# tricks: P06
# twin: ../twins/sigmoid.py
# about: An exponential of five terms.
import torch
from torch import nn


class ModelNew(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        y = x.new_ones(x.shape)
        term = y
        for i in range(1, 6):
            term = term * -x / i
            y = y + term
        return 1 / (1 + y)
