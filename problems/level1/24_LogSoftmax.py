import torch
import torch.nn as nn


class Model(nn.Module):
    """Logarithm of the softmax of every row: y[b, i] = x[b, i] - log(sum_j exp(x[b, j])).

    x and y have shape (batch_size, dim). The parameter dim is the dimension summed
    over, not the module constant of that name.
    """

    def __init__(self, dim: int = 1) -> None:
        super().__init__()
        self.dim = dim

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.log_softmax(x, dim=self.dim)


batch_size = 4096
dim = 393216


def get_inputs() -> list[torch.Tensor]:
    return [torch.rand(batch_size, dim)]


def get_init_inputs() -> list:
    return []
