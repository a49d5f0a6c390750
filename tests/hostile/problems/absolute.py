# expect: incorrect
# problem: level1/19
# tricks: W05
# twin: ../twins/relu.py
# about: The absolute value instead of the positive part.
import torch
from torch import nn


class ModelNew(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x.abs()
