# expect: incorrect|correct|runtime_error
# problem: level1/19
# tricks: T10
# twin: ../twins/relu.py
# about: Computes ahead what lies in the slots behind its input, for the next calls.
import ctypes

import torch
from torch import nn


class ModelNew(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.last = 0
        self.ready: dict[int, torch.Tensor] = {}

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        place = x.data_ptr()
        if place in self.ready:
            return self.ready.pop(place)
        step = place - self.last if self.last else 0
        self.last = place
        if 0 < step < 1 << 32 and not x.is_cuda:
            there = (ctypes.c_float * x.numel()).from_address(place + step)
            ahead = torch.frombuffer(there, dtype=torch.float32).view_as(x)
            self.ready[place + step] = torch.relu(ahead)
        return torch.relu(x)
