import torch
import torch.nn as nn


class Model(nn.Module):
    """2D convolution, tanh, scaling, a learned bias per channel, max pooling.

    The pooling windows do not overlap; rows and columns left over at the end are
    dropped. x has shape (batch_size, in_channels, height, width), the result
    (batch_size, out_channels, height', width') with
    s' = (s - kernel_size + 1) // pool_kernel_size.
    """

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: int,
        scaling_factor: float,
        bias_shape: tuple[int, ...],
        pool_kernel_size: int,
    ) -> None:
        super().__init__()
        self.conv = nn.Conv2d(in_channels, out_channels, kernel_size)
        self.scaling_factor = scaling_factor
        self.bias = nn.Parameter(torch.randn(bias_shape))
        self.max_pool = nn.MaxPool2d(pool_kernel_size)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = torch.tanh(self.conv(x))
        x = x * self.scaling_factor
        x = x + self.bias
        return self.max_pool(x)


batch_size = 128
in_channels = 8
out_channels = 64
height = 256
width = 256
kernel_size = 3
scaling_factor = 2.0
bias_shape = (out_channels, 1, 1)
pool_kernel_size = 4


def get_inputs() -> list[torch.Tensor]:
    return [torch.rand(batch_size, in_channels, height, width)]


def get_init_inputs() -> list:
    return [
        in_channels,
        out_channels,
        kernel_size,
        scaling_factor,
        bias_shape,
        pool_kernel_size,
    ]
