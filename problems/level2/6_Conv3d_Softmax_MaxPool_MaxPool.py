import torch
import torch.nn as nn


class Model(nn.Module):
    """3D convolution, softmax over the channels, max pooling twice.

    x has shape (batch_size, in_channels, depth, height, width). The convolution
    takes kernel_size - 1 off every spatial size, then each pooling divides the
    sizes by pool_kernel_size, rounding down; two poolings by 2 equal one by 4.
    """

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: int,
        pool_kernel_size: int,
    ) -> None:
        super().__init__()
        self.conv = nn.Conv3d(in_channels, out_channels, kernel_size)
        self.pool1 = nn.MaxPool3d(pool_kernel_size)
        self.pool2 = nn.MaxPool3d(pool_kernel_size)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = self.conv(x)
        x = torch.softmax(x, dim=1)
        x = self.pool1(x)
        return self.pool2(x)


batch_size = 128
in_channels = 3
out_channels = 16
depth = 16
height = 32
width = 32
kernel_size = 3
pool_kernel_size = 2


def get_inputs() -> list[torch.Tensor]:
    return [torch.rand(batch_size, in_channels, depth, height, width)]


def get_init_inputs() -> list:
    return [in_channels, out_channels, kernel_size, pool_kernel_size]
