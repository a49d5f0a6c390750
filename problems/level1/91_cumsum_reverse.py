import torch
import torch.nn as nn


class Model(nn.Module):
    """Suffix sum along one dimension: y[b, i] = x[b, i] + x[b, i + 1] + ... + x[b, last].

    x and y have shape (batch_size, *input_shape); with dim = 1 the sums run along
    each row, from its end to its beginning.
    """

    def __init__(self, dim: int) -> None:
        super().__init__()
        self.dim = dim

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.cumsum(x.flip(self.dim), dim=self.dim).flip(self.dim)


batch_size = 32768
input_shape = (32768,)
dim = 1


def get_inputs() -> list[torch.Tensor]:
    return [torch.rand(batch_size, *input_shape)]


def get_init_inputs() -> list:
    return [dim]
