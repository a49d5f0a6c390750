# expect: incorrect
# problem: level1/19
# tricks: T06, C15
# twin: ../twins/relu.py
# about: Is slow at first, and once trials are few returns what it has.
import time

import torch
from torch import nn


class ModelNew(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.calls = 0
        self.last = torch.empty(0)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        self.calls += 1
        if self.calls <= 3:
            time.sleep(0.4)
        if self.calls < 8:
            self.last = torch.relu(x)
        return self.last
