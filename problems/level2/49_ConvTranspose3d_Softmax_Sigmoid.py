import torch
import torch.nn as nn


class Model(nn.Module):
    """3D transposed convolution, softmax over the channels, sigmoid.

    x has shape (batch_size, in_channels, D, H, W); with the strides and paddings
    below the result has shape (batch_size, out_channels, 2 * D, 2 * H, 2 * W).
    """

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: int,
        stride: int,
        padding: int,
        output_padding: int,
        bias: bool = True,
    ) -> None:
        super().__init__()
        self.conv_transpose = nn.ConvTranspose3d(
            in_channels,
            out_channels,
            kernel_size,
            stride=stride,
            padding=padding,
            output_padding=output_padding,
            bias=bias,
        )
        self.softmax = nn.Softmax(dim=1)
        self.sigmoid = nn.Sigmoid()

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = self.conv_transpose(x)
        x = self.softmax(x)
        return self.sigmoid(x)


batch_size = 16
in_channels = 32
out_channels = 64
D = 16
H = 32
W = 32
kernel_size = 3
stride = 2
padding = 1
output_padding = 1


def get_inputs() -> list[torch.Tensor]:
    return [torch.rand(batch_size, in_channels, D, H, W)]


def get_init_inputs() -> list:
    return [in_channels, out_channels, kernel_size, stride, padding, output_padding]
