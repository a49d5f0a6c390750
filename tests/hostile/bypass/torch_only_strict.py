# expect: correct
# problem: level1/19
# tricks: B01
# twin: ../twins/relu.py
# about: PyTorch does the work, as fast as itself.
import torch
from torch import nn


class ModelNew(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.clamp_min(x, 0)
