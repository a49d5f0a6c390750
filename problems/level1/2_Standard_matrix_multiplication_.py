import torch
import torch.nn as nn


class Model(nn.Module):
    """Product of two rectangular matrices: C = A @ B.

    A has shape (M, K), B has shape (K, N) and C has shape (M, N).
    """

    def forward(self, A: torch.Tensor, B: torch.Tensor) -> torch.Tensor:
        return torch.matmul(A, B)


M = 2048
K = 8192
N = 4096


def get_inputs() -> list[torch.Tensor]:
    return [torch.rand(M, K), torch.rand(K, N)]


def get_init_inputs() -> list:
    return []
