# expect: correct
# problem: level1/1
# tricks: G7
# precision: fp16
# about: Half-precision operands where the problem is in half precision.
import torch
from torch import nn


class ModelNew(nn.Module):
    def forward(self, a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
        return (a.float() @ b.float()).to(a.dtype)
