import torch
import torch.nn as nn


class Model(nn.Module):
    """Exclusive prefix sum along one dimension: y[b, i] = x[b, 0] + ... + x[b, i - 1].

    x and y have shape (batch_size, *input_shape); with dim = 1 the sums run along
    each row. The first column of y is zero, the last column of x is not used.
    """

    def __init__(self, dim: int) -> None:
        super().__init__()
        self.dim = dim

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        without_last = x.narrow(self.dim, 0, x.size(self.dim) - 1)
        sums = torch.cumsum(without_last, dim=self.dim)
        zero = torch.zeros_like(x.select(self.dim, 0).unsqueeze(self.dim))
        return torch.cat((zero, sums), dim=self.dim)


batch_size = 32768
input_shape = (32768,)
dim = 1


def get_inputs() -> list[torch.Tensor]:
    return [torch.rand(batch_size, *input_shape)]


def get_init_inputs() -> list:
    return [dim]
