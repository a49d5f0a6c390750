# expect: incorrect
# problem: level1/47
# tricks: P01
# twin: ../twins/sum.py
# about: Sums kept in bfloat16.
import torch
from torch import nn


class ModelNew(nn.Module):
    def __init__(self, dim: int) -> None:
        super().__init__()
        self.dim = dim

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        total = torch.zeros_like(x[:, :1]).bfloat16()
        for part in x.split(64, dim=1):
            total = total + part.sum(dim=1, keepdim=True).bfloat16()
        return total.float()
