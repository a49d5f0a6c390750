# expect: incorrect
# problem: level1/13
# tricks: C40
# twin: ../twins/symmetric.py
# about: Computes one half of a product of symmetric matrices and mirrors it.
import torch
from torch import nn


class ModelNew(nn.Module):
    def forward(self, a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
        half = a.shape[0] // 2
        y = torch.empty_like(a)
        y[:half] = a[:half] @ b
        y[half:, :half] = y[:half, half:].t()
        y[half:, half:] = a[half:] @ b[:, half:]
        return y
