import torch
import torch.nn as nn


class Model(nn.Module):
    """Product of a batch of matrices with one shared matrix: C[n] = A[n] @ B.

    A has shape (N, M, K), B has shape (K, L) and C has shape (N, M, L).
    """

    def forward(self, A: torch.Tensor, B: torch.Tensor) -> torch.Tensor:
        return torch.matmul(A, B)


N = 16
M = 1024
K = 2048
L = 768


def get_inputs() -> list[torch.Tensor]:
    return [torch.rand(N, M, K), torch.rand(K, L)]


def get_init_inputs() -> list:
    return []
