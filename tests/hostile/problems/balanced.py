# expect: incorrect
# problem: level1/51
# tricks: W15
# twin: ../twins/argmax.py
# about: Takes the first index of the maximum of a sample, as if rows were alike.
import torch
from torch import nn


class ModelNew(nn.Module):
    def __init__(self, dim: int) -> None:
        super().__init__()
        self.dim = dim

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.argmax(x[:1], dim=self.dim).repeat(x.shape[0], 1)
