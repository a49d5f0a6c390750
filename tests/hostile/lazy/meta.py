# expect: incorrect|runtime_error
# problem: level1/19
# tricks: L01
# twin: ../twins/relu.py
# about: A tensor without memory.
import torch
from torch import nn


class ModelNew(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.empty_like(x, device="meta")
