# expect: rejected
# problem: level1/1
# tricks: B10
# twin: ../twins/matmul.py
# policy: own-kernels
# about: The product as an operator of Python.
import operator

import torch
from torch import nn


class ModelNew(nn.Module):
    def forward(self, a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
        return operator.matmul(a, b)
