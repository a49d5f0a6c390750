# expect: incorrect
# problem: level1/23
# tricks: C40
# twin: ../twins/softmax.py
# about: One row for all, as if they were alike.
import torch
from torch import nn


class ModelNew(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.softmax(x[:1], dim=1).repeat(x.shape[0], 1)
