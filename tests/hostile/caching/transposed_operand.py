# expect: incorrect
# problem: level1/1
# tricks: C08
# twin: ../twins/matmul.py
# about: Keeps a transposed copy of the second operand per data pointer.
import torch
from torch import nn


class ModelNew(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.kept: dict[int, torch.Tensor] = {}

    def forward(self, a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
        key = b.data_ptr()
        if key not in self.kept:
            self.kept[key] = b.t().contiguous()
        return a @ self.kept[key].t()
