# expect: incorrect|not_certified
# problem: level1/37
# tricks: W01
# twin: ../twins/frobenius.py
# about: Zeros, within the tolerance of a large norm.
import torch
from torch import nn


class ModelNew(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.zeros_like(x)
