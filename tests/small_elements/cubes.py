"""Cubes of a product: answers of sizes far apart."""

import torch
import torch.nn as nn


class Model(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return (x @ x.T) ** 3


N = 200


def get_inputs() -> list[torch.Tensor]:
    return [torch.randn(N, 2 * N)]


def get_init_inputs() -> list[int]:
    return []
