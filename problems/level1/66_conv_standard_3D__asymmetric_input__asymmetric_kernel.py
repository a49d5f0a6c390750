import torch
import torch.nn as nn


class Model(nn.Module):
    """3D convolution of flat volumes with a kernel of three different extents.

    kernel_size is (depth, height, width) of the kernel. x has shape
    (batch_size, in_channels, depth, height, width). With the default stride, padding
    and dilation each spatial extent shrinks by the kernel's less one, and the result
    has out_channels channels. There is no bias unless asked for.
    """

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: tuple[int, int, int],
        stride: tuple[int, int, int] = (1, 1, 1),
        padding: tuple[int, int, int] = (0, 0, 0),
        dilation: tuple[int, int, int] = (1, 1, 1),
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


batch_size = 8
in_channels = 3
out_channels = 64
kernel_size = (3, 5, 7)
depth = 16
height = 128
width = 128


def get_inputs() -> list[torch.Tensor]:
    return [torch.rand(batch_size, in_channels, depth, height, width)]


def get_init_inputs() -> list:
    return [in_channels, out_channels, kernel_size]
