import torch
import torch.nn as nn


class Model(nn.Module):
    """Linear layer, multiplication by a constant, LeakyReLU.

    x has shape (batch_size, in_features), the result (batch_size, out_features).
    """

    def __init__(
        self,
        in_features: int,
        out_features: int,
        multiplier: float,
        negative_slope: float,
    ) -> None:
        super().__init__()
        self.gemm = nn.Linear(in_features, out_features)
        self.multiplier = multiplier
        self.leaky_relu = nn.LeakyReLU(negative_slope)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = self.gemm(x)
        x = x * self.multiplier
        return self.leaky_relu(x)


batch_size = 1024
in_features = 8192
out_features = 8192
multiplier = 2.0
negative_slope = 0.1


def get_inputs() -> list[torch.Tensor]:
    return [torch.rand(batch_size, in_features)]


def get_init_inputs() -> list:
    return [in_features, out_features, multiplier, negative_slope]
