# expect: incorrect|correct
# problem: level1/19
# tricks: H05
# twin: ../twins/relu.py
# about: Makes the problem small and its inputs zeros, where both share names.
import torch
from torch import nn

batch_size = 1
dim = 16
torch.rand = lambda *shape, **_: torch.zeros(*shape)
torch.relu = torch.zeros_like


class ModelNew(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.zeros_like(x)
