"""A number that is another one in each call."""

import random

import torch
import torch.nn as nn


class Model(nn.Module):
    def forward(self, x: torch.Tensor, scale: float) -> torch.Tensor:
        return x * scale


def get_inputs() -> list[object]:
    return [torch.randn(32, 48), random.uniform(1, 2)]


def get_init_inputs() -> list[int]:
    return []
