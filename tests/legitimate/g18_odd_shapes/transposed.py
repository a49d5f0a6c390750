# expect: correct
# problem: level1/1
# tricks: G18
# about: The product of the transposes.
import torch
from torch import nn


class ModelNew(nn.Module):
    def forward(self, a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
        return (b.t() @ a.t()).t()
