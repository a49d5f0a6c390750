# expect: incorrect
# problem: level1/19
# tricks: C28
# twin: ../twins/relu.py
# about: One column, which would be broadcast.
import torch
from torch import nn


class ModelNew(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.relu(x).mean(dim=1, keepdim=True)
