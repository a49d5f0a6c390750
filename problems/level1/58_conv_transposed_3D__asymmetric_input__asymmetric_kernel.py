import torch
import torch.nn as nn


class Model(nn.Module):
    """Transposed 3D convolution; input and kernel have three different extents each.

    kernel_size is (depth, height, width) of the kernel. x has shape
    (batch_size, in_channels, depth_in, height_in, width_in). With the default stride
    and padding each spatial extent grows by the kernel's less one, and the result
    has out_channels channels. There is no bias unless asked for.
    """

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: tuple[int, int, int],
        stride: tuple[int, int, int] = (1, 1, 1),
        padding: tuple[int, int, int] = (0, 0, 0),
        output_padding: tuple[int, int, int] = (0, 0, 0),
        groups: int = 1,
        bias: bool = False,
    ) -> None:
        super().__init__()
        self.conv_transpose3d = nn.ConvTranspose3d(
            in_channels,
            out_channels,
            kernel_size,
            stride=stride,
            padding=padding,
            output_padding=output_padding,
            groups=groups,
            bias=bias,
        )

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.conv_transpose3d(x)


batch_size = 16
in_channels = 32
out_channels = 16
kernel_size = (3, 5, 7)
depth_in = 16
height_in = 32
width_in = 64


def get_inputs() -> list[torch.Tensor]:
    return [torch.rand(batch_size, in_channels, depth_in, height_in, width_in)]


def get_init_inputs() -> list:
    return [in_channels, out_channels, kernel_size]
