import torch
import torch.nn as nn


class Model(nn.Module):
    """Product of two square matrices: C = A @ B.

    A, B and C all have shape (N, N).
    """

    def forward(self, A: torch.Tensor, B: torch.Tensor) -> torch.Tensor:
        return torch.matmul(A, B)


N = 4096


def get_inputs() -> list[torch.Tensor]:
    return [torch.rand(N, N), torch.rand(N, N)]


def get_init_inputs() -> list:
    return []
