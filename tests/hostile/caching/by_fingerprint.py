# expect: incorrect|correct
# problem: level1/19
# tricks: C03
# twin: ../twins/relu.py
# about: Replays its output where a sample of the input is the same.
import torch
from torch import nn


class ModelNew(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.kept: dict[tuple[float, ...], torch.Tensor] = {}

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        key = tuple(x.flatten()[::65537].tolist())
        if key not in self.kept:
            self.kept[key] = torch.relu(x)
        return self.kept[key]
