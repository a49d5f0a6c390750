# expect: correct
# problem: level1/19
# tricks: G22
# about: Returns a view of its own temporary.
import torch
from torch import nn


class ModelNew(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        y = torch.relu(x.t().contiguous())
        return y.t()
