import torch
import torch.nn as nn


class Model(nn.Module):
    """Inclusive prefix sum along one dimension: y[b, i] = x[b, 0] + ... + x[b, i].

    x and y have shape (batch_size, *input_shape); with dim = 1 the sums run
    along each row.
    """

    def __init__(self, dim: int) -> None:
        super().__init__()
        self.dim = dim

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.cumsum(x, dim=self.dim)


batch_size = 32768
length = 32768
input_shape = (length,)
dim = 1


def get_inputs() -> list[torch.Tensor]:
    return [torch.rand(batch_size, *input_shape)]


def get_init_inputs() -> list:
    return [dim]
