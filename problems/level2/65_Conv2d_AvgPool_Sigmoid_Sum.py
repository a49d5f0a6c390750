import torch
import torch.nn as nn


class Model(nn.Module):
    """2D convolution, average pooling, sigmoid, sum of each sample.

    The pooling windows do not overlap; rows and columns left over at the end are
    dropped. The sum runs over channels, rows and columns. x has shape
    (batch_size, in_channels, height, width), the result (batch_size,).
    """

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: int,
        pool_kernel_size: int,
    ) -> None:
        super().__init__()
        self.conv = nn.Conv2d(in_channels, out_channels, kernel_size)
        self.avg_pool = nn.AvgPool2d(pool_kernel_size)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = self.conv(x)
        x = self.avg_pool(x)
        return torch.sigmoid(x).sum(dim=[1, 2, 3])


batch_size = 128
in_channels = 8
out_channels = 64
height = 384
width = 384
kernel_size = 3
pool_kernel_size = 4


def get_inputs() -> list[torch.Tensor]:
    return [torch.rand(batch_size, in_channels, height, width)]


def get_init_inputs() -> list:
    return [in_channels, out_channels, kernel_size, pool_kernel_size]
