import torch
import torch.nn as nn


class Model(nn.Module):
    """Hinge loss: mean(max(1 - predictions * targets, 0)).

    predictions has shape (batch_size, *input_shape), targets has shape (batch_size,)
    and holds -1 or 1 (as floats). targets is broadcast along the rows: column j of
    predictions is multiplied by targets[j], which requires input_shape = (batch_size,).
    The result is a scalar (shape ()).
    """

    def forward(self, predictions: torch.Tensor, targets: torch.Tensor) -> torch.Tensor:
        return torch.mean(torch.clamp(1 - predictions * targets, min=0))


batch_size = 32768
input_shape = (32768,)
dim = 1


def get_inputs() -> list[torch.Tensor]:
    predictions = torch.rand(batch_size, *input_shape)
    targets = torch.randint(0, 2, (batch_size,)).float() * 2 - 1
    return [predictions, targets]


def get_init_inputs() -> list:
    return []
