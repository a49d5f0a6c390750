"""Keeps what it computed in its first call, and counts: no output depends on either."""

import torch
import torch.nn as nn


class Model(nn.Module):
    def __init__(self, size: int) -> None:
        super().__init__()
        self.norm = nn.BatchNorm1d(size)
        self.mask = None
        self.calls = 0

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        self.calls += 1
        if self.mask is None:
            self.mask = torch.ones(x.shape[1], x.shape[1], device=x.device).tril()
        return self.norm(x) @ self.mask


def get_inputs() -> list[torch.Tensor]:
    return [torch.rand(8, 16)]


def get_init_inputs() -> list:
    return [16]
