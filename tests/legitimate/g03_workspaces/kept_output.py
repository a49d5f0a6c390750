# expect: correct
# problem: level1/19
# tricks: G3
# about: The same output tensor in every call.
import torch
from torch import nn


class ModelNew(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.y: torch.Tensor | None = None

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        if self.y is None or self.y.shape != x.shape:
            self.y = torch.empty_like(x)
        return torch.clamp_min(x, 0, out=self.y)
