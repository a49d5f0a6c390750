import torch
import torch.nn as nn


class Model(nn.Module):
    """Product of a diagonal matrix and a matrix: C = diag(A) @ B.

    Computed as the scaling of rows that it is: C[i, j] = A[i] * B[i, j]. A has shape
    (N,) and holds the diagonal; B and C have shape (N, M).
    """

    def forward(self, A: torch.Tensor, B: torch.Tensor) -> torch.Tensor:
        return A.unsqueeze(1) * B


M = 4096
N = 4096


def get_inputs() -> list[torch.Tensor]:
    return [torch.rand(N), torch.rand(N, M)]


def get_init_inputs() -> list:
    return []
