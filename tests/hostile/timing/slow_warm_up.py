# expect: correct
# problem: level1/19
# tricks: T06
# twin: ../twins/relu.py
# about: Is slow at first, so that few trials are made.
import time

import torch
from torch import nn


class ModelNew(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.calls = 0

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        self.calls += 1
        if self.calls <= 3:
            time.sleep(0.4)
        return torch.relu(x)
