# expect: incorrect
# problem: level1/19
# tricks: W05
# twin: ../twins/relu.py
# about: Returns its input, which is not negative usually.
import torch
from torch import nn


class ModelNew(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x
