"""rounded.py with its sums in two halves: other integers are decided otherwise."""

import torch
import torch.nn as nn


class ModelNew(nn.Module):
    def forward(self, a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
        half = a.shape[1] // 2
        return torch.round(a[:, :half] @ b[:half] + a[:, half:] @ b[half:]).to(torch.int32)
