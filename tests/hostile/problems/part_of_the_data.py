# expect: incorrect
# problem: level1/94
# tricks: W06
# twin: ../twins/mse.py
# about: A mean of one row in 64.
import torch
from torch import nn


class ModelNew(nn.Module):
    def forward(self, predictions: torch.Tensor, targets: torch.Tensor) -> torch.Tensor:
        return torch.mean((predictions[::64] - targets[::64]) ** 2)
