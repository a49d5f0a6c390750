import torch
import torch.nn as nn


class Model(nn.Module):
    """Product of a matrix and a column vector: C = A @ B.

    A has shape (M, K), B has shape (K, 1) and C has shape (M, 1).
    """

    def forward(self, A: torch.Tensor, B: torch.Tensor) -> torch.Tensor:
        return torch.matmul(A, B)


M = 2048
K = 1048576


def get_inputs() -> list[torch.Tensor]:
    return [torch.rand(M, K), torch.rand(K, 1)]


def get_init_inputs() -> list:
    return []
