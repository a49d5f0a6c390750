# expect: correct
# problem: level1/19
# tricks: G10
# about: A thread builds a faster way meanwhile.
import threading

import torch
from torch import nn


class ModelNew(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.ready = None
        threading.Thread(target=self.build, daemon=True).start()

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        way = self.ready or torch.relu
        return way(x)

    def build(self) -> None:
        self.ready = lambda t: torch.clamp_min(t, 0)
