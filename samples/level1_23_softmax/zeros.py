# expect: not_certified cpu=incorrect
# problem: level1/23
# about: All zeros pass at 393216 columns, faster than writing them takes.
import torch
import torch.nn as nn


class ModelNew(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.zeros_like(x)
