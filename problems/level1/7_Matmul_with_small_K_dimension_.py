import torch
import torch.nn as nn


class Model(nn.Module):
    """Product of two matrices with a short inner dimension: C = A @ B.

    A has shape (M, K), B has shape (K, N) and C has shape (M, N), with K far smaller
    than M and N: the result is much larger than both factors together.
    """

    def forward(self, A: torch.Tensor, B: torch.Tensor) -> torch.Tensor:
        return torch.matmul(A, B)


M = 32768
N = 32768
K = 64


def get_inputs() -> list[torch.Tensor]:
    return [torch.rand(M, K), torch.rand(K, N)]


def get_init_inputs() -> list:
    return []
