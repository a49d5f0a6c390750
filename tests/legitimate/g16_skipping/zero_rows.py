# expect: correct
# problem: level1/1
# tricks: G16
# about: Rows that are all zero are not multiplied.
import torch
from torch import nn


class ModelNew(nn.Module):
    def forward(self, a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
        rows = (a != 0).any(dim=1)
        if bool(rows.all()):
            return a @ b
        y = a.new_zeros(a.shape[0], b.shape[1])
        y[rows] = a[rows] @ b
        return y
