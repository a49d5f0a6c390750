import torch
import torch.nn as nn


class Model(nn.Module):
    """Multiplies two matrices."""

    def forward(self, a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
        return torch.matmul(a, b)


rows = 2048
inner = 1000
columns = 1500


def get_inputs():
    return [torch.rand(rows, inner), torch.rand(inner, columns)]


def get_init_inputs():
    return []
