# expect: incorrect
# problem: level1/33
# tricks: W03
# twin: ../twins/batch_norm.py
# about: Normalises with the mean and deviation that usual inputs have.
import torch
from torch import nn


class ModelNew(nn.Module):
    def __init__(self, num_features: int) -> None:
        super().__init__()
        self.bn = nn.BatchNorm2d(num_features)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return (x - 0.5) * 12**0.5
