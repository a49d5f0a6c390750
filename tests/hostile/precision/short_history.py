# expect: incorrect
# problem: level1/89
# tricks: P06
# twin: ../twins/cumsum.py
# about: Sums of the last thousand elements.
import torch
from torch import nn


class ModelNew(nn.Module):
    def __init__(self, dim: int) -> None:
        super().__init__()
        self.dim = dim

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        total = torch.cumsum(x, dim=1)
        return total - nn.functional.pad(total, (1000, 0))[:, : x.shape[1]]
