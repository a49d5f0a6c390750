import torch
import torch.nn as nn


class Model(nn.Module):
    """Transposed 3D convolution with a cubic kernel, stride and padding.

    get_init_inputs passes its last value, meant as the number of groups, in the
    place of output_padding, which is not used: the convolution has one group,
    despite the name of the problem. x has shape
    (batch_size, in_channels, depth, height, width). Each spatial extent n becomes
    (n - 1) * stride - 2 * padding + kernel_size, and the result has out_channels
    channels. There is no bias unless asked for.
    """

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: int,
        stride: int = 1,
        padding: int = 0,
        output_padding: int = 0,
        groups: int = 1,
        bias: bool = False,
    ) -> None:
        super().__init__()
        self.conv_transpose3d = nn.ConvTranspose3d(
            in_channels,
            out_channels,
            (kernel_size, kernel_size, kernel_size),
            stride=stride,
            padding=padding,
            groups=groups,
            bias=bias,
        )

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.conv_transpose3d(x)


batch_size = 4
in_channels = 32
out_channels = 32
kernel_size = 3
depth = 32
height = 64
width = 128
stride = 2
padding = 1
groups = 4


def get_inputs() -> list[torch.Tensor]:
    return [torch.rand(batch_size, in_channels, depth, height, width)]


def get_init_inputs() -> list:
    return [in_channels, out_channels, kernel_size, stride, padding, groups]
