# expect: incorrect
# problem: level1/49
# tricks: W03
# twin: ../twins/max.py
# about: The maximum that usual inputs have.
import torch
from torch import nn


class ModelNew(nn.Module):
    def __init__(self, dim: int) -> None:
        super().__init__()
        self.dim = dim

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.full((x.shape[0], x.shape[2]), 0.9998, device=x.device)
