import torch
import torch.nn as nn


class Model(nn.Module):
    """Batch normalisation in training mode: every channel over batch, height and width.

    y = (x - mean) / sqrt(var + eps) * weight + bias, with the mean and the (biased)
    variance of this batch. Every call also updates the layer's running statistics.
    x and y have shape (batch_size, num_features, dim1, dim2).
    """

    def __init__(self, num_features: int) -> None:
        super().__init__()
        self.bn = nn.BatchNorm2d(num_features=num_features)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.bn(x)


batch_size = 64
features = 64
dim1 = 512
dim2 = 512


def get_inputs() -> list[torch.Tensor]:
    return [torch.rand(batch_size, features, dim1, dim2)]


def get_init_inputs() -> list:
    return [features]
