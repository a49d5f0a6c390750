# expect: incorrect|not_certified
# problem: level1/23
# tricks: W01
# twin: ../twins/softmax.py
# about: Zeros, which are within the tolerance of a long softmax.
import torch
from torch import nn


class ModelNew(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.zeros_like(x)
