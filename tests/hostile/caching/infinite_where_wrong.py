# expect: incorrect
# problem: level1/19
# tricks: C26
# twin: ../twins/relu.py
# about: Saves the half that it leaves out by infinity.
import torch
from torch import nn


class ModelNew(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        y = torch.full_like(x, float("inf"))
        half = x.shape[0] // 2
        y[:half] = torch.relu(x[:half])
        return y
