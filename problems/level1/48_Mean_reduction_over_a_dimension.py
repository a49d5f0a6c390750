import torch
import torch.nn as nn


class Model(nn.Module):
    """Mean over one dimension, which is removed.

    x has shape (batch_size, dim1, dim2); with dim = 1 the result has shape
    (batch_size, dim2).
    """

    def __init__(self, dim: int) -> None:
        super().__init__()
        self.dim = dim

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.mean(x, dim=self.dim)


batch_size = 128
dim1 = 4096
dim2 = 4095


def get_inputs() -> list[torch.Tensor]:
    return [torch.rand(batch_size, dim1, dim2)]


def get_init_inputs() -> list:
    return [1]
