"""cubes.py with zeros for most of them: all but the largest."""

import torch
import torch.nn as nn


class ModelNew(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        cubes = (x @ x.T) ** 3
        return cubes * (cubes.abs() > cubes.abs().max() / 128)
