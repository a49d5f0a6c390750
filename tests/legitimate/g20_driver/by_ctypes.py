# expect: correct
# problem: level1/19
# tricks: G20
# about: A library of the system by ctypes.
import ctypes

import torch
from torch import nn


class ModelNew(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.libc = ctypes.CDLL(None)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        if x.is_cuda:
            return torch.relu(x)
        y = torch.empty_like(x)
        x = x.contiguous()
        self.libc.memcpy(ctypes.c_void_p(y.data_ptr()), ctypes.c_void_p(x.data_ptr()), ctypes.c_size_t(4 * x.numel()))
        return y.clamp_min_(0)
