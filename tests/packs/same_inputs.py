"""An answer that stays the same, with a number beside it that nobody compares."""

import torch
import torch.nn as nn


class Model(nn.Module):
    def forward(self, places: torch.Tensor) -> tuple[torch.Tensor, float]:
        waves = torch.sin(places / 7)
        return waves, waves.square().mean().item()


def get_inputs() -> list[torch.Tensor]:
    return [torch.arange(4096)]


def get_init_inputs() -> list[int]:
    return []
