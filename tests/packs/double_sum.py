"""Sums in float64, beside which nothing more exact is computed."""

import torch
import torch.nn as nn


class Model(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x.sum(1)


def get_inputs() -> list[torch.Tensor]:
    return [torch.rand(256, 4096, dtype=torch.float64)]


def get_init_inputs() -> list[int]:
    return []
