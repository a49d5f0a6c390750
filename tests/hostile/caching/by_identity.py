# expect: incorrect|correct
# problem: level1/19
# tricks: C01
# twin: ../twins/relu.py
# about: Replays its output where it is given the same object.
import torch
from torch import nn


class ModelNew(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.x = self.y = torch.empty(0)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        if x is not self.x:
            self.x, self.y = x, torch.relu(x)
        return self.y
