# expect: incorrect
# problem: level1/21
# tricks: W16
# twin: ../twins/sigmoid.py
# about: What a sigmoid of large numbers is.
import torch
from torch import nn


class ModelNew(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return (x > 0).float()
