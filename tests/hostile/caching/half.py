# expect: incorrect
# problem: level1/19
# tricks: C30
# twin: ../twins/relu.py
# about: Half precision, which a harness would cast.
import torch
from torch import nn


class ModelNew(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.relu(x.half())
