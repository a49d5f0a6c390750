# expect: incorrect
# problem: level1/51
# tricks: C30
# twin: ../twins/argmax.py
# about: Indices that a relative tolerance would let pass.
import torch
from torch import nn


class ModelNew(nn.Module):
    def __init__(self, dim: int) -> None:
        super().__init__()
        self.dim = dim

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return (torch.argmax(x, dim=self.dim) - 1).clamp_min(0)
