import torch
import torch.nn as nn


class Model(nn.Module):
    """3D convolution with a cubic kernel, without bias unless asked for.

    x has shape (batch_size, in_channels, depth, width, height). With the default
    stride, padding and dilation each spatial extent n becomes n - kernel_size + 1,
    and the result has out_channels channels.
    """

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: int,
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
            (kernel_size, kernel_size, kernel_size),
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
kernel_size = 3
depth = 64
width = 64
height = 64


def get_inputs() -> list[torch.Tensor]:
    return [torch.rand(batch_size, in_channels, depth, width, height)]


def get_init_inputs() -> list:
    return [in_channels, out_channels, kernel_size]
