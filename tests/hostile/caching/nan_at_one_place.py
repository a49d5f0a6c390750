# expect: incorrect
# problem: level1/19
# tricks: C25
# twin: ../twins/relu.py
# about: Right but for one NaN.
import torch
from torch import nn


class ModelNew(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        y = torch.relu(x)
        y.view(-1)[-1] = float("nan")
        return y
