# expect: incorrect|runtime_error
# problem: level1/19
# tricks: M10
# twin: ../twins/relu.py
# about: Writes behind its input, where the next ones and more of ours may lie.
import ctypes

import torch
from torch import nn


class ModelNew(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        if not x.is_cuda:
            beside = (ctypes.c_float * 64).from_address(x.data_ptr() + 4 * x.numel())
            for i in range(64):
                beside[i] = 0.0
        return torch.zeros_like(x)
