# expect: not_certified|incorrect
# problem: level1/19
# tricks: T03
# twin: ../twins/relu.py
# about: The same by a pool of threads that is there from the beginning.
import time
from concurrent.futures import ThreadPoolExecutor

import torch
from torch import nn


class ModelNew(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.pool = ThreadPoolExecutor(2)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        y = torch.zeros_like(x)
        self.pool.submit(self.fill, x, y)
        return y

    def fill(self, x: torch.Tensor, y: torch.Tensor) -> None:
        time.sleep(0.01)
        torch.clamp_min(x, 0, out=y)
