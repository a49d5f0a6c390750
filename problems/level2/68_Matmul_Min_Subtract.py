import torch
import torch.nn as nn


class Model(nn.Module):
    """Linear layer, minimum with a learned scalar, subtraction of the same scalar.

    The result is min(y - c, 0) for the linear output y and the scalar c. x has
    shape (batch_size, in_features), the result (batch_size, out_features).
    """

    def __init__(self, in_features: int, out_features: int, constant: float) -> None:
        super().__init__()
        self.linear = nn.Linear(in_features, out_features)
        self.constant = nn.Parameter(torch.tensor(constant))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = self.linear(x)
        x = torch.min(x, self.constant)
        return x - self.constant


batch_size = 128
in_features = 16384
out_features = 16384
constant = 2.0


def get_inputs() -> list[torch.Tensor]:
    return [torch.rand(batch_size, in_features)]


def get_init_inputs() -> list:
    return [in_features, out_features, constant]
