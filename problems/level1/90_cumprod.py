import torch
import torch.nn as nn


class Model(nn.Module):
    """Inclusive prefix product along one dimension: y[b, i] = x[b, 0] * ... * x[b, i].

    x and y have shape (batch_size, *input_shape); with dim = 1 the products run
    along each row. Factors below one make almost all of each row vanish.
    """

    def __init__(self, dim: int) -> None:
        super().__init__()
        self.dim = dim

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.cumprod(x, dim=self.dim)


batch_size = 32768
input_shape = (32768,)
dim = 1


def get_inputs() -> list[torch.Tensor]:
    return [torch.rand(batch_size, *input_shape)]


def get_init_inputs() -> list:
    return [dim]
