# expect: correct
# problem: level1/19
# tricks: G22
# about: A view that PyTorch negates when it is read.
import torch
from torch import nn


class ModelNew(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch._neg_view(torch.clamp_max(-x, 0))
