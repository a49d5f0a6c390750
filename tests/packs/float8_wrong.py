"""float8.py with one answer that is two steps off."""

import torch
import torch.nn as nn


class ModelNew(nn.Module):
    def __init__(self, features: int) -> None:
        super().__init__()
        self.register_buffer("weight", torch.randn(features, features).to(torch.float8_e4m3fn))

    def forward(self, x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        product = x.to(torch.float32) @ self.weight.to(torch.float32).T
        scale = product.abs().amax(dim=-1, keepdim=True) / 57344
        answer = (product / scale).to(torch.float8_e5m2)
        answer.view(torch.uint8)[3, 5] ^= 2
        return answer, scale
