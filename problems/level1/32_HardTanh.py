import torch
import torch.nn as nn
import torch.nn.functional as F


class Model(nn.Module):
    """Piecewise linear tanh: y = clamp(x, -1, 1), element by element.

    x and y have shape (batch_size, dim); any other shape works too.
    """

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return F.hardtanh(x, min_val=-1.0, max_val=1.0)


batch_size = 4096
dim = 393216


def get_inputs() -> list[torch.Tensor]:
    return [torch.rand(batch_size, dim)]


def get_init_inputs() -> list:
    return []
