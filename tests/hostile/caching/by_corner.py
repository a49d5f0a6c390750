# expect: incorrect|correct
# problem: level1/19
# tricks: C03
# twin: ../twins/relu.py
# about: The same with the first element only.
import torch
from torch import nn


class ModelNew(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.kept: dict[float, torch.Tensor] = {}

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        key = float(x[0, 0])
        if key not in self.kept:
            self.kept[key] = torch.relu(x)
        return self.kept[key]
