# expect: incorrect
# problem: level1/19
# tricks: C31
# twin: ../twins/relu.py
# about: All rows but one, which takes its neighbour.
import torch
from torch import nn


class ModelNew(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        y = torch.relu(x)
        y[7] = y[8]
        return y
