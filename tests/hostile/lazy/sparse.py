# expect: incorrect|runtime_error|correct
# problem: level1/19
# tricks: L01
# twin: ../twins/relu.py
# about: A sparse tensor, which others would have to fill.
import torch
from torch import nn


class ModelNew(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.relu(x).to_sparse()
