# expect: incorrect
# problem: level1/19
# tricks: C28
# twin: ../twins/relu.py
# about: One column with a stride of zero: the right shape.
import torch
from torch import nn


class ModelNew(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.relu(x[:, :1]).expand_as(x)
