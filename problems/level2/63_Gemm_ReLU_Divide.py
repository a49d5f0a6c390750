import torch
import torch.nn as nn


class Model(nn.Module):
    """Linear layer, ReLU, division by a constant.

    x has shape (batch_size, in_features), the result (batch_size, out_features).
    """

    def __init__(self, in_features: int, out_features: int, divisor: float) -> None:
        super().__init__()
        self.linear = nn.Linear(in_features, out_features)
        self.divisor = divisor

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = torch.relu(self.linear(x))
        return x / self.divisor


batch_size = 1024
in_features = 8192
out_features = 8192
divisor = 2.0


def get_inputs() -> list[torch.Tensor]:
    return [torch.rand(batch_size, in_features)]


def get_init_inputs() -> list:
    return [in_features, out_features, divisor]
