import torch
import torch.nn as nn


class Model(nn.Module):
    """Transposed 1D convolution with stride, padding and dilation.

    x has shape (batch_size, in_channels, length), the result
    (batch_size, out_channels, length_out) with
    length_out = (length - 1) * stride - 2 * padding + dilation * (kernel_size - 1) + 1.
    With stride and dilation both 2 every other position of the result is zero. There
    is no bias unless asked for.
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
        self.conv1d_transpose = nn.ConvTranspose1d(
            in_channels,
            out_channels,
            kernel_size,
            stride=stride,
            padding=padding,
            dilation=dilation,
            bias=bias,
        )

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.conv1d_transpose(x)


batch_size = 16
in_channels = 32
out_channels = 64
kernel_size = 3
length = 131072
stride = 2
padding = 1
dilation = 2


def get_inputs() -> list[torch.Tensor]:
    return [torch.rand(batch_size, in_channels, length)]


def get_init_inputs() -> list:
    return [in_channels, out_channels, kernel_size, stride, padding, dilation]
