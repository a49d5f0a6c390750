import torch
import torch.nn as nn


class Model(nn.Module):
    """Transposed 1D convolution with a dilated kernel, without bias unless asked for.

    x has shape (batch_size, in_channels, length), the result
    (batch_size, out_channels, length_out) with
    length_out = (length - 1) * stride - 2 * padding + dilation * (kernel_size - 1) + 1.
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


batch_size = 32
in_channels = 32
out_channels = 64
kernel_size = 5
length = 131072
stride = 1
padding = 0
dilation = 3


def get_inputs() -> list[torch.Tensor]:
    return [torch.rand(batch_size, in_channels, length)]


def get_init_inputs() -> list:
    return [in_channels, out_channels, kernel_size, stride, padding, dilation]
