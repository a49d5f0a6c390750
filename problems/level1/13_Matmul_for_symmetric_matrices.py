import torch
import torch.nn as nn


class Model(nn.Module):
    """Product of two symmetric matrices: C = A @ B.

    A, B and C all have shape (N, N); C is not symmetric in general.
    """

    def forward(self, A: torch.Tensor, B: torch.Tensor) -> torch.Tensor:
        return torch.matmul(A, B)


N = 4096


def get_inputs() -> list[torch.Tensor]:
    A = torch.rand(N, N)
    A = (A + A.T) / 2
    B = torch.rand(N, N)
    B = (B + B.T) / 2
    return [A, B]


def get_init_inputs() -> list:
    return []
