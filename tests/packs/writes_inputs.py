"""A reference that writes to its input, and says so by its result only."""

import torch
import torch.nn as nn


class Model(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x.mul_(2).add_(1)


def get_inputs() -> list[torch.Tensor]:
    return [torch.rand(64, 64)]


def get_init_inputs() -> list[object]:
    return []
