# expect: correct
# problem: level1/19
# tricks: G22
# about: Returns a slice of a larger workspace.
import torch
from torch import nn


class ModelNew(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.space: torch.Tensor | None = None

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        if self.space is None:
            self.space = x.new_empty(x.shape[0] + 3, x.shape[1])
        y = self.space[2 : 2 + x.shape[0]]
        return torch.clamp_min(x, 0, out=y)
