# expect: correct
# problem: level1/5
# tricks: W10
# twin: ../twins/scale.py
# about: Knows the scalar, which the problem never changes.
import torch
from torch import nn


class ModelNew(nn.Module):
    def forward(self, a: torch.Tensor, s: float) -> torch.Tensor:
        return a * 3.14
