"""A product of 8-bit floats, and its answer in 8 bits with a scale of each row."""

import torch
import torch.nn as nn


class Model(nn.Module):
    def __init__(self, features: int) -> None:
        super().__init__()
        self.register_buffer("weight", torch.randn(features, features).to(torch.float8_e4m3fn))

    def forward(self, x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        product = x.to(torch.float32) @ self.weight.to(torch.float32).T
        scale = product.abs().amax(dim=-1, keepdim=True) / 57344
        return (product / scale).to(torch.float8_e5m2), scale


def get_inputs() -> list[torch.Tensor]:
    return [torch.randn(48, 64).to(torch.float8_e4m3fn)]


def get_init_inputs() -> list[int]:
    return [64]
