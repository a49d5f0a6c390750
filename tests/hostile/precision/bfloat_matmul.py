# expect: incorrect
# problem: level1/1
# tricks: P01
# twin: ../twins/matmul.py
# about: The same in bfloat16.
import torch
from torch import nn


class ModelNew(nn.Module):
    def forward(self, a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
        return (a.bfloat16() @ b.bfloat16()).float()
