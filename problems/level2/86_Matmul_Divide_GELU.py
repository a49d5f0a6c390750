import torch
import torch.nn as nn
import torch.nn.functional as F


class Model(nn.Module):
    """Linear layer, division by a constant, GELU.

    x has shape (batch_size, input_size), the result (batch_size, output_size).
    """

    def __init__(self, input_size: int, output_size: int, divisor: float) -> None:
        super().__init__()
        self.linear = nn.Linear(input_size, output_size)
        self.divisor = divisor

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = self.linear(x) / self.divisor
        return F.gelu(x)


batch_size = 1024
input_size = 8192
output_size = 8192
divisor = 10.0


def get_inputs() -> list[torch.Tensor]:
    return [torch.rand(batch_size, input_size)]


def get_init_inputs() -> list:
    return [input_size, output_size, divisor]
