# expect: incorrect
# problem: level1/19
# tricks: C26
# twin: ../twins/relu.py
# about: All infinite.
import torch
from torch import nn


class ModelNew(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.full_like(x, float("inf"))
