# expect: incorrect|not_certified
# problem: level1/90
# tricks: W01
# twin: ../twins/cumprod.py
# about: Products of the first 32 columns, and zeros.
import torch
from torch import nn


class ModelNew(nn.Module):
    def __init__(self, dim: int) -> None:
        super().__init__()
        self.dim = dim

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        y = torch.zeros_like(x)
        y[:, :32] = torch.cumprod(x[:, :32], dim=1)
        return y
