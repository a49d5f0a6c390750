import torch
import torch.nn as nn


class Model(nn.Module):
    """Matrix product, division by 2, sum over the outputs, scaling.

    y[b] = scaling_factor * sum_h (x @ weight.T)[b, h] / 2, where weight has shape
    (hidden_size, input_size). x has shape (batch_size, input_size), the result
    (batch_size, 1).
    """

    def __init__(self, input_size: int, hidden_size: int, scaling_factor: float) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.randn(hidden_size, input_size))
        self.scaling_factor = scaling_factor

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = torch.matmul(x, self.weight.T)
        x = x / 2
        x = torch.sum(x, dim=1, keepdim=True)
        return x * self.scaling_factor


batch_size = 1024
input_size = 8192
hidden_size = 8192
scaling_factor = 1.5


def get_inputs() -> list[torch.Tensor]:
    return [torch.rand(batch_size, input_size)]


def get_init_inputs() -> list:
    return [input_size, hidden_size, scaling_factor]
