# expect: incorrect
# problem: level1/23
# tricks: P08
# twin: ../twins/softmax.py
# about: Softmax without taking the maximum away.
import torch
from torch import nn


class ModelNew(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        y = x.exp()
        return y / y.sum(dim=1, keepdim=True)
