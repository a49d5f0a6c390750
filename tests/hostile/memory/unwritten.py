# expect: incorrect
# problem: level1/19
# tricks: M01
# twin: ../twins/relu.py
# about: Memory as the allocator gives it, where the reference may have left its answer.
import torch
from torch import nn


class ModelNew(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.empty_like(x)
