# expect: incorrect|runtime_error
# problem: level1/19
# tricks: C28
# twin: ../twins/relu.py
# about: No output at all.
import torch
from torch import nn


class ModelNew(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return None
