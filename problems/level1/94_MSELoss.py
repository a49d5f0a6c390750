import torch
import torch.nn as nn


class Model(nn.Module):
    """Mean squared error: mean((predictions - targets) ** 2).

    predictions and targets have shape (batch_size, *input_shape). The result is a
    scalar (shape ()). get_inputs draws one random scale for all predictions.
    """

    def forward(self, predictions: torch.Tensor, targets: torch.Tensor) -> torch.Tensor:
        return torch.mean((predictions - targets) ** 2)


batch_size = 32768
input_shape = (32768,)
dim = 1


def get_inputs() -> list[torch.Tensor]:
    scale = torch.rand(())
    return [
        torch.rand(batch_size, *input_shape) * scale,
        torch.rand(batch_size, *input_shape),
    ]


def get_init_inputs() -> list:
    return []
