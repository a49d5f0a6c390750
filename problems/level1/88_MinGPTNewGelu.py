import math

import torch
import torch.nn as nn


class Model(nn.Module):
    """Gaussian error linear unit in its tanh approximation, as in minGPT.

    y = 0.5 * x * (1 + tanh(sqrt(2 / pi) * (x + 0.044715 * x ** 3)))

    x and y have shape (batch_size, dim); any other shape works too.
    """

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        inner = math.sqrt(2.0 / math.pi) * (x + 0.044715 * torch.pow(x, 3.0))
        return 0.5 * x * (1.0 + torch.tanh(inner))


batch_size = 8192
dim = 8192


def get_inputs() -> list[torch.Tensor]:
    return [torch.rand(batch_size, dim)]


def get_init_inputs() -> list:
    return []
