import torch
import torch.nn as nn


class Model(nn.Module):
    """Matrix times a number: C = A * s.

    A and C have shape (M, N). s is a Python float, not a tensor.
    """

    def forward(self, A: torch.Tensor, s: float) -> torch.Tensor:
        return A * s


M = 65536
N = 16384


def get_inputs() -> list[torch.Tensor | float]:
    return [torch.rand(M, N), 3.14]


def get_init_inputs() -> list:
    return []
