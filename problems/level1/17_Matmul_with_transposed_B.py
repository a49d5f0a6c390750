import torch
import torch.nn as nn


class Model(nn.Module):
    """Matrix product with the right factor stored transposed: C = A @ B.T.

    A has shape (M, K), B has shape (N, K) and C has shape (M, N).
    """

    def forward(self, A: torch.Tensor, B: torch.Tensor) -> torch.Tensor:
        return torch.matmul(A, B.T)


M = 2048
K = 8192
N = 4096


def get_inputs() -> list[torch.Tensor]:
    return [torch.rand(M, K), torch.rand(N, K)]


def get_init_inputs() -> list:
    return []
