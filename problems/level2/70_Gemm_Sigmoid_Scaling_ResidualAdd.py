import torch
import torch.nn as nn


class Model(nn.Module):
    """Linear layer y, then y + scaling_factor * sigmoid(y).

    x has shape (batch_size, input_size), the result (batch_size, hidden_size).
    """

    def __init__(
        self,
        input_size: int,
        hidden_size: int,
        scaling_factor: float,
    ) -> None:
        super().__init__()
        self.gemm = nn.Linear(input_size, hidden_size)
        self.scaling_factor = scaling_factor

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        y = self.gemm(x)
        return torch.sigmoid(y) * self.scaling_factor + y


batch_size = 1024
input_size = 8192
hidden_size = 8192
scaling_factor = 2.0


def get_inputs() -> list[torch.Tensor]:
    return [torch.rand(batch_size, input_size)]


def get_init_inputs() -> list:
    return [input_size, hidden_size, scaling_factor]
