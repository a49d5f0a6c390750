import torch
import torch.nn as nn


class Model(nn.Module):
    """Transposed 2D convolution with a square kernel, stride, padding and dilation.

    x has shape (batch_size, in_channels, height_in, width_in). Height and width n
    become (n - 1) * stride - 2 * padding + dilation * (kernel_size - 1) + 1, and the
    result has out_channels channels. With stride 5 and dilation 2 the kernel fills 3
    of every 5 positions in each direction; the rest, 16/25 of the result, is zero.
    There is no bias unless asked for.
    """

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: int,
        stride: int = 1,
        padding: int = 0,
        dilation: int = 1,
        bias: bool = False,
    ) -> None:
        super().__init__()
        self.conv_transpose2d = nn.ConvTranspose2d(
            in_channels,
            out_channels,
            kernel_size,
            stride=stride,
            padding=padding,
            dilation=dilation,
            bias=bias,
        )

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.conv_transpose2d(x)


batch_size = 16
in_channels = 32
out_channels = 64
kernel_size = 3
height_in = 64
width_in = 128
stride = 5
padding = 1
dilation = 2


def get_inputs() -> list[torch.Tensor]:
    return [torch.rand(batch_size, in_channels, height_in, width_in)]


def get_init_inputs() -> list:
    return [in_channels, out_channels, kernel_size, stride, padding, dilation]
