"""256 MiB in, 256 MiB out: five times what a cache keeps of it."""

import torch
from torch import nn


class Model(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.relu(x)


size = 1 << 26


def get_inputs() -> list[torch.Tensor]:
    return [torch.randn(size)]


def get_init_inputs() -> list:
    return []
