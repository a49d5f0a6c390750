import torch
import torch.nn as nn


class Model(nn.Module):
    """Swish activation: y = x * sigmoid(x), element by element.

    x and y have shape (batch_size, dim); any other shape works too.
    """

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x * torch.sigmoid(x)


batch_size = 4096
dim = 393216


def get_inputs() -> list[torch.Tensor]:
    return [torch.rand(batch_size, dim)]


def get_init_inputs() -> list:
    return []
