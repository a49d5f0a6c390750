import torch
import torch.nn as nn


class Model(nn.Module):
    """Product of two matrices with a long inner dimension: C = A @ B.

    A has shape (M, K), B has shape (K, N) and C has shape (M, N), with K far larger
    than M and N.
    """

    def forward(self, A: torch.Tensor, B: torch.Tensor) -> torch.Tensor:
        return torch.matmul(A, B)


M = 256
N = 256
K = 524288


def get_inputs() -> list[torch.Tensor]:
    return [torch.rand(M, K), torch.rand(K, N)]


def get_init_inputs() -> list:
    return []
