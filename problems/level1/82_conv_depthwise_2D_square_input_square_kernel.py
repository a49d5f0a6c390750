import torch
import torch.nn as nn


class Model(nn.Module):
    """Depthwise 2D convolution: every channel with its own square kernel.

    x has shape (batch_size, in_channels, height, width). Height and width n become
    (n + 2 * padding - kernel_size) // stride + 1; the number of channels stays. There
    is no bias unless asked for.
    """

    def __init__(
        self,
        in_channels: int,
        kernel_size: int,
        stride: int = 1,
        padding: int = 0,
        bias: bool = False,
    ) -> None:
        super().__init__()
        self.conv2d = nn.Conv2d(
            in_channels,
            in_channels,
            kernel_size,
            stride=stride,
            padding=padding,
            groups=in_channels,
            bias=bias,
        )

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.conv2d(x)


batch_size = 16
in_channels = 64
kernel_size = 3
width = 512
height = 512
stride = 1
padding = 0


def get_inputs() -> list[torch.Tensor]:
    return [torch.rand(batch_size, in_channels, height, width)]


def get_init_inputs() -> list:
    return [in_channels, kernel_size, stride, padding]
