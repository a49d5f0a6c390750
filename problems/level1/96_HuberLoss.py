import torch
import torch.nn as nn
import torch.nn.functional as F


class Model(nn.Module):
    """Smooth L1 loss with beta = 1, averaged over all elements.

    With d = predictions - targets each element contributes 0.5 * d ** 2 where
    |d| < 1 and |d| - 0.5 elsewhere. predictions and targets have shape
    (batch_size, *input_shape). The result is a scalar (shape ()). get_inputs draws
    one random scale for all predictions.
    """

    def forward(self, predictions: torch.Tensor, targets: torch.Tensor) -> torch.Tensor:
        return F.smooth_l1_loss(predictions, targets)


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
