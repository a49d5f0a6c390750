# expect: incorrect
# problem: level1/19
# tricks: C31
# twin: ../twins/relu.py
# about: 96 % of the elements.
import torch
from torch import nn


class ModelNew(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        y = torch.zeros_like(x)
        n = int(0.96 * x.numel())
        torch.clamp_min(x.view(-1)[:n], 0, out=y.view(-1)[:n])
        return y
