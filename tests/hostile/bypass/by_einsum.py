# expect: rejected
# problem: level1/1
# tricks: B10
# twin: ../twins/matmul.py
# policy: own-kernels
# about: The product as a sum of products.
import torch
from torch import nn


class ModelNew(nn.Module):
    def forward(self, a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
        return torch.einsum("ik,kj->ij", a, b)
