# expect: incorrect|correct
# problem: level1/19
# tricks: C15
# twin: ../twins/relu.py
# about: Takes a pause between calls for the mark of a checked one.
import time

import torch
from torch import nn


class ModelNew(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.before = 0.0
        self.last: torch.Tensor | None = None

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        now = time.monotonic()
        quick = now - self.before < 0.005
        self.before = now
        if not quick or self.last is None:
            self.last = torch.relu(x)
        return self.last
