import torch
import torch.nn as nn


class Model(nn.Module):
    """Division of every row by its mean absolute value: y = x / mean(|x| over dim 1).

    Despite the name the divisor is the mean, not the sum (the L1 norm). x and y have
    shape (batch_size, dim).
    """

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x / torch.mean(torch.abs(x), dim=1, keepdim=True)


batch_size = 32768
dim = 65535


def get_inputs() -> list[torch.Tensor]:
    return [torch.rand(batch_size, dim)]


def get_init_inputs() -> list:
    return []
