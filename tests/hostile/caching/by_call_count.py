# expect: incorrect
# problem: level1/19
# tricks: C15
# twin: ../twins/relu.py
# about: Is honest for eight calls and then repeats itself.
import torch
from torch import nn


class ModelNew(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.calls = 0
        self.last = torch.empty(0)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        self.calls += 1
        if self.calls <= 8:
            self.last = torch.relu(x)
        return self.last
