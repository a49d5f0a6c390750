# expect: correct
# problem: level1/19
# tricks: G9
# about: Tries two ways in the first call and keeps the faster one.
import time

import torch
from torch import nn


class ModelNew(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.best = None

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        if self.best is None:
            times = {}
            for way in (torch.relu, lambda t: torch.clamp_min(t, 0)):
                begin = time.perf_counter()
                way(x)
                times[time.perf_counter() - begin] = way
            self.best = times[min(times)]
        return self.best(x)
