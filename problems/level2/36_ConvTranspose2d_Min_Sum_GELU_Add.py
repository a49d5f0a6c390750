import torch
import torch.nn as nn
import torch.nn.functional as F


class Model(nn.Module):
    """2D transposed convolution, minimum over channels, sum over height, GELU, bias.

    x has shape (batch_size, in_channels, height, width). The convolution doubles
    the width and the reductions leave (batch_size, 1, 1, 2 * width); a bias of
    shape (1, 1, 1) is a single number. The sums are so far below zero that GELU
    gives 0 for all of them, and the result is the bias everywhere.
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
        self.conv_transpose = nn.ConvTranspose2d(
            in_channels,
            out_channels,
            kernel_size,
            stride=stride,
            padding=padding,
            output_padding=output_padding,
        )
        self.bias = nn.Parameter(torch.randn(bias_shape))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = self.conv_transpose(x)
        x = torch.min(x, dim=1, keepdim=True).values
        x = torch.sum(x, dim=2, keepdim=True)
        x = F.gelu(x)
        return x + self.bias


batch_size = 16
in_channels = 64
out_channels = 128
height = 128
width = 128
kernel_size = 3
stride = 2
padding = 1
output_padding = 1
bias_shape = (1, 1, 1)


def get_inputs() -> list[torch.Tensor]:
    return [torch.rand(batch_size, in_channels, height, width)]


def get_init_inputs() -> list:
    return [in_channels, out_channels, kernel_size, stride, padding, output_padding, bias_shape]
