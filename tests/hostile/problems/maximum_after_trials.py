# expect: incorrect
# problem: level1/49
# tricks: W03
# twin: ../twins/max.py
# about: Looks for a maximum above zero as soon as the trials before the timed ones are over.
import torch
import torch.nn as nn


class ModelNew(nn.Module):
    def __init__(self, dim: int) -> None:
        super().__init__()
        self.dim = dim
        self.calls = 0

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        self.calls += 1
        largest = torch.amax(x, self.dim)
        return largest if self.calls <= 20 else largest.clamp_min(0)
