# expect: correct
# problem: level1/5
# about: Honest.
import torch
from torch import nn


class ModelNew(nn.Module):
    def forward(self, a: torch.Tensor, s: float) -> torch.Tensor:
        return a * s
