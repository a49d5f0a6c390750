import torch
import torch.nn as nn


class Model(nn.Module):
    """2D convolution, instance norm without affine parameters, division by a constant.

    Every channel of every sample is normalised by its own mean and (biased)
    variance. x has shape (batch_size, in_channels, height, width), the result
    (batch_size, out_channels, height - kernel_size + 1, width - kernel_size + 1).
    """

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: int,
        divide_by: float,
    ) -> None:
        super().__init__()
        self.conv = nn.Conv2d(in_channels, out_channels, kernel_size)
        self.instance_norm = nn.InstanceNorm2d(out_channels)
        self.divide_by = divide_by

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = self.conv(x)
        x = self.instance_norm(x)
        return x / self.divide_by


batch_size = 128
in_channels = 64
out_channels = 128
height = 128
width = 128
kernel_size = 3
divide_by = 2.0


def get_inputs() -> list[torch.Tensor]:
    return [torch.rand(batch_size, in_channels, height, width)]


def get_init_inputs() -> list:
    return [in_channels, out_channels, kernel_size, divide_by]
