import torch
import torch.nn as nn


class Model(nn.Module):
    """Softsign: y = x / (1 + |x|), element by element.

    x and y have shape (batch_size, dim); any other shape works too.
    """

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x / (1 + torch.abs(x))


batch_size = 4096
dim = 393216


def get_inputs() -> list[torch.Tensor]:
    return [torch.rand(batch_size, dim)]


def get_init_inputs() -> list:
    return []
