import torch
import torch.nn as nn


class Model(nn.Module):
    """Transposed 3D convolution with a cubic kernel, stride, padding and dilation.

    x has shape (batch_size, in_channels, depth, height, width). Each spatial extent n
    becomes (n - 1) * stride - 2 * padding + dilation * (kernel_size - 1) + 1, and the
    result has out_channels channels. With stride and dilation both 2 every other
    position in each direction is zero, about 7/8 of the result. There is no bias unless
    asked for.
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
        self.conv_transpose3d = nn.ConvTranspose3d(
            in_channels,
            out_channels,
            (kernel_size, kernel_size, kernel_size),
            stride=stride,
            padding=padding,
            dilation=dilation,
            bias=bias,
        )

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.conv_transpose3d(x)


batch_size = 16
in_channels = 32
out_channels = 64
kernel_size = 3
depth = 16
height = 32
width = 32
stride = 2
padding = 1
dilation = 2


def get_inputs() -> list[torch.Tensor]:
    return [torch.rand(batch_size, in_channels, depth, height, width)]


def get_init_inputs() -> list:
    return [in_channels, out_channels, kernel_size, stride, padding, dilation]
