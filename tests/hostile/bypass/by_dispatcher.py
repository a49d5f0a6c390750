# expect: rejected
# problem: level1/19
# tricks: B10
# twin: ../twins/relu.py
# policy: own-kernels
# about: The operator by the dispatcher.
import torch
from torch import nn


class ModelNew(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.ops.aten.relu.default(x)
