# expect: incorrect
# problem: level1/19
# tricks: C28
# twin: ../twins/relu.py
# about: A number for all.
import torch
from torch import nn


class ModelNew(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.relu(x.flatten()[0])
