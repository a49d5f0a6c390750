import torch
import torch.nn as nn
import torch.nn.functional as F


class Model(nn.Module):
    """3D transposed convolution plus a second input: s = conv(x) + add_input, s * hardswish(s).

    The parameter bias is never used. x has shape (batch_size, in_channels, D, H, W);
    with the strides and paddings below the convolution multiplies the spatial sizes
    by stride, and add_input and the result have shape
    (batch_size, out_channels, D * stride, H * stride, W * stride).
    """

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: int,
        stride: int,
        padding: int,
        output_padding: int,
        bias_shape: tuple[int, ...],
    ) -> None:
        super().__init__()
        self.conv_transpose = nn.ConvTranspose3d(
            in_channels,
            out_channels,
            kernel_size,
            stride=stride,
            padding=padding,
            output_padding=output_padding,
        )
        self.bias = nn.Parameter(torch.randn(bias_shape))

    def forward(self, x: torch.Tensor, add_input: torch.Tensor) -> torch.Tensor:
        x = self.conv_transpose(x)
        x = x + add_input
        return x * F.hardswish(x)


batch_size = 128
in_channels = 32
out_channels = 64
D = 16
H = 16
W = 16
kernel_size = 3
stride = 2
padding = 1
output_padding = 1
bias_shape = (out_channels, 1, 1, 1, 1)


def get_inputs() -> list[torch.Tensor]:
    return [
        torch.rand(batch_size, in_channels, D, H, W),
        torch.rand(batch_size, out_channels, D * stride, H * stride, W * stride),
    ]


def get_init_inputs() -> list:
    return [in_channels, out_channels, kernel_size, stride, padding, output_padding, bias_shape]
