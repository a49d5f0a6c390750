# expect: correct|incorrect|runtime_error
# problem: level1/19
# tricks: W10
# twin: ../twins/relu.py
# about: Knows the shape of the small size.
import torch
from torch import nn


class ModelNew(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        y = torch.zeros_like(x)
        y[:61, :65536] = torch.relu(x[:61, :65536])
        return y
