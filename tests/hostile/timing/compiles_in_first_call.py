# expect: correct|runtime_error|not_certified
# problem: level1/19
# tricks: T25
# twin: ../twins/relu.py
# about: Leaves the building of a table of answers to the first call, which nobody times.
import torch
from torch import nn


class ModelNew(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.table: dict[float, torch.Tensor] | None = None
        self.first = 0.0

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        if self.table is None:
            self.table = {float(s): torch.relu(x * s) for s in (0.5, 1, 2)}
        ratio = float(x.flatten()[0] / self.first) if self.first else 1.0
        self.first = self.first or float(x.flatten()[0])
        return self.table.get(ratio) if ratio != 1.0 and ratio in self.table else torch.relu(x)
