"""A mask of zeros and ones as floats, and places in order."""

import torch
import torch.nn as nn


class Model(nn.Module):
    def forward(
        self, x: torch.Tensor, mask: torch.Tensor, bounds: torch.Tensor
    ) -> tuple[torch.Tensor, torch.Tensor]:
        return x * mask, torch.bucketize(x, bounds)


def get_inputs() -> list[torch.Tensor]:
    mask = (torch.rand(32, 48) > 0.5).float()
    return [torch.randn(32, 48), mask, torch.rand(20).sort().values]


def get_init_inputs() -> list[int]:
    return []
