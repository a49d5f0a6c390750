# expect: correct
# problem: level1/23
# tricks: G23
# about: Softmax by powers of two.
import torch
from torch import nn


class ModelNew(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        m = x.max(dim=1, keepdim=True).values
        y = torch.exp2((x - m) * 1.4426950408889634)
        return y / y.sum(dim=1, keepdim=True)
