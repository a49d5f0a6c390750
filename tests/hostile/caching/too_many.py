# expect: incorrect|runtime_error
# problem: level1/19
# tricks: C28
# twin: ../twins/relu.py
# about: Two outputs, one of them right.
import torch
from torch import nn


class ModelNew(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.relu(x), torch.zeros_like(x)
