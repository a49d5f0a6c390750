"""Adds up in two halves, each of which is rounded: the split-K of a library."""

import torch
import torch.nn as nn


class ModelNew(nn.Module):
    def forward(self, A: torch.Tensor, B: torch.Tensor) -> torch.Tensor:
        half = A.shape[1] // 2
        return A[:, :half] @ B[:half] + A[:, half:] @ B[half:]
