"""A projection of random numbers from a generator of its own, which draws others in float64."""

import torch
import torch.nn as nn


class Model(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        random = torch.Generator(device=x.device).manual_seed(0)
        size = (x.shape[1], 512)
        return x @ torch.randn(size, generator=random, dtype=x.dtype, device=x.device)


def get_inputs() -> list[torch.Tensor]:
    return [torch.randn(64, 256)]


def get_init_inputs() -> list[int]:
    return []
