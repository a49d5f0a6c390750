# expect: correct
# problem: level1/19
# tricks: G10
# about: Threads share the rows, and are waited for.
from concurrent.futures import ThreadPoolExecutor

import torch
from torch import nn


class ModelNew(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.pool = ThreadPoolExecutor(4)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        y = torch.empty_like(x)
        parts = list(zip(x.chunk(4), y.chunk(4), strict=True))
        list(self.pool.map(lambda p: torch.clamp_min(p[0], 0, out=p[1]), parts))
        return y
