"""rounded.py with one integer that is two off."""

import torch
import torch.nn as nn


class ModelNew(nn.Module):
    def forward(self, a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
        y = torch.round(a @ b).to(torch.int32)
        y[3, 5] += 2
        return y
