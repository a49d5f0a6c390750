# expect: incorrect
# problem: level1/19
# tricks: C18
# twin: ../twins/relu.py
# about: The same for every row, by its first two elements.
import torch
from torch import nn


class ModelNew(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        usual = (x[:, :2] >= 0).all(dim=1, keepdim=True)
        return torch.where(usual, x, torch.relu(x))
