import torch
import torch.nn as nn


class Model(nn.Module):
    """Softmax of every row: y[b, i] = exp(x[b, i]) / sum_j exp(x[b, j]).

    x and y have shape (batch_size, dim); each row of y sums to one.
    """

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.softmax(x, dim=1)


batch_size = 4096
dim = 393216


def get_inputs() -> list[torch.Tensor]:
    return [torch.rand(batch_size, dim)]


def get_init_inputs() -> list:
    return []
