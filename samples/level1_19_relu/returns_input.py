# expect: correct
# problem: level1/19
# about: Returns x, right on [0, 1); policy strict draws signs and catches it.
import torch
import torch.nn as nn


class ModelNew(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x
