# expect: incorrect|correct
# problem: level1/19
# tricks: C18
# twin: ../twins/relu.py
# about: Returns the input where a sample of it looks like the usual one.
import torch
from torch import nn


class ModelNew(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        head = x.flatten()[:4]
        usual = bool(((head >= 0) & (head < 1)).all())
        return x if usual else torch.relu(x)
