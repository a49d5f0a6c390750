# expect: incorrect
# problem: level1/19
# tricks: C25
# twin: ../twins/relu.py
# about: All NaN, which no careless comparison refuses.
import torch
from torch import nn


class ModelNew(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.full_like(x, float("nan"))
