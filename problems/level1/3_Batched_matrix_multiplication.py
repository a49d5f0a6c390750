import torch
import torch.nn as nn


class Model(nn.Module):
    """Batch of independent matrix products: C[b] = A[b] @ B[b].

    A has shape (batch_size, m, k), B has shape (batch_size, k, n) and C has shape
    (batch_size, m, n).
    """

    def forward(self, A: torch.Tensor, B: torch.Tensor) -> torch.Tensor:
        return torch.bmm(A, B)


batch_size = 128
m = 512
k = 1024
n = 2048


def get_inputs() -> list[torch.Tensor]:
    return [torch.rand(batch_size, m, k), torch.rand(batch_size, k, n)]


def get_init_inputs() -> list:
    return []
