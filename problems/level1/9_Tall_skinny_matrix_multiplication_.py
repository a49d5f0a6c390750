import torch
import torch.nn as nn


class Model(nn.Module):
    """Product of a tall and a wide matrix: C = A @ B.

    A has shape (M, N), B has shape (N, M) and C has shape (M, M), with N far smaller
    than M.
    """

    def forward(self, A: torch.Tensor, B: torch.Tensor) -> torch.Tensor:
        return torch.matmul(A, B)


M = 32768
N = 32


def get_inputs() -> list[torch.Tensor]:
    return [torch.rand(M, N), torch.rand(N, M)]


def get_init_inputs() -> list:
    return []
