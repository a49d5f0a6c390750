import torch
import torch.nn as nn


class Model(nn.Module):
    """Transposed 2D convolution of wide images with an oblong kernel.

    kernel_size is (kernel height, kernel width). x has shape
    (batch_size, in_channels, height_in, width_in). With the default stride, padding
    and dilation height and width grow by the kernel's extent less one each, and the
    result has out_channels channels. There is no bias unless asked for.
    """

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: tuple[int, int],
        stride: tuple[int, int] = (1, 1),
        padding: tuple[int, int] = (0, 0),
        output_padding: tuple[int, int] = (0, 0),
        dilation: tuple[int, int] = (1, 1),
        groups: int = 1,
        bias: bool = False,
    ) -> None:
        super().__init__()
        self.conv_transpose2d = nn.ConvTranspose2d(
            in_channels,
            out_channels,
            kernel_size,
            stride=stride,
            padding=padding,
            output_padding=output_padding,
            dilation=dilation,
            groups=groups,
            bias=bias,
        )

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.conv_transpose2d(x)


batch_size = 64
in_channels = 64
out_channels = 128
kernel_size = (3, 5)
height_in = 128
width_in = 256


def get_inputs() -> list[torch.Tensor]:
    return [torch.rand(batch_size, in_channels, height_in, width_in)]


def get_init_inputs() -> list:
    return [in_channels, out_channels, kernel_size]
