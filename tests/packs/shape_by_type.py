"""Has a shorter answer in float64."""

import torch
import torch.nn as nn


class Model(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return (x.flatten()[: x.numel() // (x.element_size() // 4) ** 8] > 0).to(torch.int32)


def get_inputs() -> list[torch.Tensor]:
    return [torch.randn(8192, 2560)]


def get_init_inputs() -> list[int]:
    return []
