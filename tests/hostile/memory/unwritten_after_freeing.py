# expect: incorrect
# problem: level1/19
# tricks: M01
# twin: ../twins/relu.py
# about: The same, after a few blocks of that size were given back.
import torch
from torch import nn


class ModelNew(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        blocks = [torch.empty_like(x) for _ in range(4)]
        del blocks
        return torch.empty_like(x)
