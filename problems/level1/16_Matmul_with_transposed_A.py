import torch
import torch.nn as nn


class Model(nn.Module):
    """Matrix product with the left factor stored transposed: C = A.T @ B.

    A has shape (K, M), B has shape (K, N) and C has shape (M, N).
    """

    def forward(self, A: torch.Tensor, B: torch.Tensor) -> torch.Tensor:
        return torch.matmul(A.T, B)


M = 2048
K = 8192
N = 4096


def get_inputs() -> list[torch.Tensor]:
    return [torch.rand(K, M), torch.rand(K, N)]


def get_init_inputs() -> list:
    return []
