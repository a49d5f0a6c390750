import torch
import torch.nn as nn


class Model(nn.Module):
    """Transposed 2D convolution of wide images with a square kernel.

    x has shape (batch_size, in_channels, height_in, width_in). With the default
    stride and padding the result has shape
    (batch_size, out_channels, height_in + kernel_size - 1, width_in + kernel_size - 1).
    There is no bias unless asked for.
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
        self.conv_transpose2d = nn.ConvTranspose2d(
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
        return self.conv_transpose2d(x)


batch_size = 8
in_channels = 32
out_channels = 32
kernel_size = 3
height_in = 512
width_in = 1024


def get_inputs() -> list[torch.Tensor]:
    return [torch.rand(batch_size, in_channels, height_in, width_in)]


def get_init_inputs() -> list:
    return [in_channels, out_channels, kernel_size]
