# expect: rejected
# problem: level1/1
# tricks: B15
# twin: ../twins/matmul.py
# policy: own-kernels
# about: The operator under another name.
import torch
from torch import nn

product = torch.mm


class ModelNew(nn.Module):
    def forward(self, a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
        return product(a, b)
