# expect: correct
# problem: level1/14
# tricks: G16
# about: Of triangular factors only what is not zero is read.
import torch
from torch import nn


class ModelNew(nn.Module):
    def forward(self, a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
        n = a.shape[0]
        y = torch.zeros_like(a)
        for begin in range(0, n, 128):
            end = min(n, begin + 128)
            y[begin:end, begin:] = a[begin:end, begin:] @ b[begin:, begin:]
        return torch.triu(y)
