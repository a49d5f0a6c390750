"""Adds up in float32 and rounds once."""

import torch
import torch.nn as nn


class ModelNew(nn.Module):
    def forward(self, A: torch.Tensor, B: torch.Tensor) -> torch.Tensor:
        return (A.float() @ B.float()).to(A.dtype)
