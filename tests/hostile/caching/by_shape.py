# expect: incorrect
# problem: level1/19
# tricks: C05
# twin: ../twins/relu.py
# about: Replays its output per shape.
import torch
from torch import nn


class ModelNew(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.kept: dict[torch.Size, torch.Tensor] = {}

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        key = x.shape
        if key not in self.kept:
            self.kept[key] = torch.relu(x)
        return self.kept[key]
