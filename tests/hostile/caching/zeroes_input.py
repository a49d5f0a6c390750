# expect: incorrect|runtime_error
# problem: level1/19
# tricks: C20
# twin: ../twins/relu.py
# about: Zeroes its input, hoping that the reference reads it afterwards.
import torch
from torch import nn


class ModelNew(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x.zero_()
        return torch.zeros_like(x)
