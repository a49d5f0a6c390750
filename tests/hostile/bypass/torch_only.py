# expect: rejected
# problem: level1/19
# tricks: B01
# twin: ../twins/relu.py
# policy: own-kernels
# about: PyTorch does the work where the policy wants kernels.
import torch
from torch import nn


class ModelNew(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.relu(x)
