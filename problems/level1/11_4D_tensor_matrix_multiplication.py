import torch
import torch.nn as nn


class Model(nn.Module):
    """Contraction of the last dimension of a 4D tensor with a matrix.

    C[b, i, j, k] = sum_l A[b, i, j, l] * B[l, k]

    A has shape (b, i, j, l), B has shape (l, k) and C has shape (b, i, j, k).
    """

    def forward(self, A: torch.Tensor, B: torch.Tensor) -> torch.Tensor:
        return torch.einsum("bijl,lk->bijk", A, B)


b = 8
i = 256
j = 512
l = 256
k = 768


def get_inputs() -> list[torch.Tensor]:
    return [torch.rand(b, i, j, l), torch.rand(l, k)]


def get_init_inputs() -> list:
    return []
