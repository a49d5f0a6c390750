# expect: incorrect|runtime_error|correct
# problem: level1/19
# tricks: L03
# twin: ../twins/relu.py
# about: A plain tensor whose methods compute when a comparison calls them.
import torch
from torch import nn


class ModelNew(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        y = torch.empty_like(x)
        for name in ("cpu", "detach", "double", "float", "to", "clone", "contiguous", "numpy"):
            setattr(y, name, lambda *_, **__: torch.relu(x))
        return y
