"""An answer of few steps, of which rounding alone moves some elements by a whole one."""

import torch
import torch.nn as nn


class Model(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.randn(512, 256))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.round(7 * torch.sin(x @ self.weight.T)) / 7


def get_inputs() -> list[torch.Tensor]:
    return [torch.randn(1024, 256)]


def get_init_inputs() -> list[int]:
    return []
