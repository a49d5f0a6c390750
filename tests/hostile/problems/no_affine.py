# expect: incorrect
# problem: level1/33
# tricks: W11
# twin: ../twins/batch_norm.py
# about: Leaves out scale and offset, which are one and zero usually.
import torch
from torch import nn


class ModelNew(nn.Module):
    def __init__(self, num_features: int) -> None:
        super().__init__()
        self.bn = nn.BatchNorm2d(num_features)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return nn.functional.batch_norm(x, None, None, training=True)
