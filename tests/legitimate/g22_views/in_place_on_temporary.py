# expect: correct
# problem: level1/19
# tricks: G22
# about: Works in place on what it allocated.
import torch
from torch import nn


class ModelNew(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        y = x.clone()
        return y.relu_()
