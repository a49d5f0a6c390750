# expect: incorrect
# problem: level1/20
# tricks: W05
# twin: ../twins/leaky_relu.py
# about: Leaves out the negative side.
import torch
from torch import nn


class ModelNew(nn.Module):
    def __init__(self, negative_slope: float = 0.01) -> None:
        super().__init__()
        self.slope = negative_slope

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x.clone()
