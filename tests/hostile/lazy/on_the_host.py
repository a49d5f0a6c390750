# expect: incorrect|runtime_error cpu=correct
# problem: level1/19
# tricks: L08
# twin: ../twins/relu.py
# about: Returns its output in memory of the host.
import torch
from torch import nn


class ModelNew(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        y = torch.empty(x.shape, pin_memory=x.is_cuda)
        y.copy_(torch.relu(x))
        return y
