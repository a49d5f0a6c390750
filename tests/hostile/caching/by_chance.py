# expect: incorrect
# problem: level1/19
# tricks: C15
# twin: ../twins/relu.py
# about: Computes nine calls of ten.
import random

import torch
from torch import nn


class ModelNew(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.last: torch.Tensor | None = None

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        if self.last is None or random.random() < 0.9:
            self.last = torch.relu(x)
        return self.last
