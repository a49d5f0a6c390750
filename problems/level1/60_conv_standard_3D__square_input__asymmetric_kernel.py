import torch
import torch.nn as nn


class Model(nn.Module):
    """3D convolution of cubes with a kernel of three different extents.

    kernel_size is (width, height, depth) of the kernel. x has shape
    (batch_size, in_channels, width, height, depth). With the default stride, padding
    and dilation each spatial extent shrinks by the kernel's less one, and the result
    has out_channels channels. There is no bias unless asked for.
    """

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: tuple[int, int, int],
        stride: int = 1,
        padding: int = 0,
        dilation: int = 1,
        groups: int = 1,
        bias: bool = False,
    ) -> None:
        super().__init__()
        self.conv3d = nn.Conv3d(
            in_channels,
            out_channels,
            kernel_size,
            stride=stride,
            padding=padding,
            dilation=dilation,
            groups=groups,
            bias=bias,
        )

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.conv3d(x)


batch_size = 16
in_channels = 3
out_channels = 64
kernel_size = (3, 5, 7)
width = 64
height = 64
depth = 64


def get_inputs() -> list[torch.Tensor]:
    return [torch.rand(batch_size, in_channels, width, height, depth)]


def get_init_inputs() -> list:
    return [in_channels, out_channels, kernel_size]
