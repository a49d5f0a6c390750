# expect: correct
# problem: level1/33
# tricks: C35
# twin: ../twins/batch_norm.py
# about: Leaves the running statistics of a batch norm as they are; the outputs alone are compared.
import torch
from torch import nn


class ModelNew(nn.Module):
    def __init__(self, num_features: int) -> None:
        super().__init__()
        self.bn = nn.BatchNorm2d(num_features)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        bn = self.bn
        return nn.functional.batch_norm(x, None, None, bn.weight, bn.bias, True, 0.0, bn.eps)
