# expect: correct|timeout
# problem: level1/19
# tricks: R11
# twin: ../twins/relu.py
# about: Threads that spin, so that others are slow.
import multiprocessing

import torch
from torch import nn

def spin() -> None:
    while True:
        pass


for _ in range(16):
    multiprocessing.get_context("fork").Process(target=spin, daemon=True).start()


class ModelNew(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.relu(x)
