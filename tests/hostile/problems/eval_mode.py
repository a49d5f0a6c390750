# expect: incorrect
# problem: level1/33
# tricks: W11
# twin: ../twins/batch_norm.py
# about: Normalises with statistics that were never learnt.
import torch
from torch import nn


class ModelNew(nn.Module):
    def __init__(self, num_features: int) -> None:
        super().__init__()
        self.bn = nn.BatchNorm2d(num_features)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        bn = self.bn
        return nn.functional.batch_norm(x, bn.running_mean, bn.running_var, bn.weight, bn.bias, False)
