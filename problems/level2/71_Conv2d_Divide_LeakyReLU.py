import torch
import torch.nn as nn
import torch.nn.functional as F


class Model(nn.Module):
    """2D convolution, division by a constant, LeakyReLU (slope 0.01).

    x has shape (batch_size, in_channels, height, width), the result
    (batch_size, out_channels, height - kernel_size + 1, width - kernel_size + 1).
    """

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: int,
        divisor: float,
    ) -> None:
        super().__init__()
        self.conv = nn.Conv2d(in_channels, out_channels, kernel_size)
        self.divisor = divisor

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = self.conv(x) / self.divisor
        return F.leaky_relu(x, negative_slope=0.01)


batch_size = 128
in_channels = 8
out_channels = 64
height = 128
width = 128
kernel_size = 3
divisor = 2


def get_inputs() -> list[torch.Tensor]:
    return [torch.rand(batch_size, in_channels, height, width)]


def get_init_inputs() -> list:
    return [in_channels, out_channels, kernel_size, divisor]
