import torch
import torch.nn as nn


class Model(nn.Module):
    """2D convolution, batch normalisation, multiplication by a constant.

    The normalisation runs in training mode: it uses the mean and (biased)
    variance of each channel over the current batch and updates its running
    statistics. x has shape (batch_size, in_channels, height, width), the result
    (batch_size, out_channels, height - kernel_size + 1, width - kernel_size + 1).
    """

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: int,
        scaling_factor: float,
    ) -> None:
        super().__init__()
        self.conv = nn.Conv2d(in_channels, out_channels, kernel_size)
        self.bn = nn.BatchNorm2d(out_channels)
        self.scaling_factor = scaling_factor

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = self.conv(x)
        x = self.bn(x)
        return x * self.scaling_factor


batch_size = 128
in_channels = 8
out_channels = 64
height = 128
width = 128
kernel_size = 3
scaling_factor = 2.0


def get_inputs() -> list[torch.Tensor]:
    return [torch.rand(batch_size, in_channels, height, width)]


def get_init_inputs() -> list:
    return [in_channels, out_channels, kernel_size, scaling_factor]
