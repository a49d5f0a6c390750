# expect: incorrect
# problem: level1/21
# tricks: P05
# twin: ../twins/sigmoid.py
# about: A polynomial that is right on [0, 1) only.
import torch
from torch import nn


class ModelNew(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return 0.5 + x * (0.25 - x * x * (1 / 48 - x * x / 480))
