import torch
import torch.nn as nn


class Model(nn.Module):
    """Linear layer and ReLU((linear(x) - subtract_value) * multiply_value).

    x has shape (batch_size, in_features), the result (batch_size, out_features).
    With the weights as built and inputs from [0, 1) no linear output reaches
    subtract_value = 2, so the result is zero throughout.
    """

    def __init__(
        self,
        in_features: int,
        out_features: int,
        subtract_value: float,
        multiply_value: float,
    ) -> None:
        super().__init__()
        self.linear = nn.Linear(in_features, out_features)
        self.subtract_value = subtract_value
        self.multiply_value = multiply_value

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = self.linear(x)
        x = x - self.subtract_value
        x = x * self.multiply_value
        return torch.relu(x)


batch_size = 1024
in_features = 8192
out_features = 8192
subtract_value = 2.0
multiply_value = 1.5


def get_inputs() -> list[torch.Tensor]:
    return [torch.rand(batch_size, in_features)]


def get_init_inputs() -> list:
    return [in_features, out_features, subtract_value, multiply_value]
