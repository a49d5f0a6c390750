import torch
import torch.nn as nn
import torch.nn.functional as F


class Model(nn.Module):
    """3D convolution, LeakyReLU (slope 0.2), a learned number per channel, clipping, GELU.

    Clipping is to [-1, 1]. x has shape
    (batch_size, in_channels, depth, height, width), the result
    (batch_size, out_channels, depth - k, height - k, width - k) with
    k = kernel_size - 1.
    """

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: int,
        sum_tensor_shape: tuple[int, ...],
    ) -> None:
        super().__init__()
        self.conv = nn.Conv3d(in_channels, out_channels, kernel_size)
        self.sum_tensor = nn.Parameter(torch.randn(sum_tensor_shape))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = self.conv(x)
        x = F.leaky_relu(x, negative_slope=0.2)
        x = x + self.sum_tensor
        x = torch.clamp(x, min=-1.0, max=1.0)
        return F.gelu(x)


batch_size = 128
in_channels = 8
out_channels = 64
depth = 16
height = 64
width = 64
kernel_size = 3
sum_tensor_shape = (out_channels, 1, 1, 1)


def get_inputs() -> list[torch.Tensor]:
    return [torch.rand(batch_size, in_channels, depth, height, width)]


def get_init_inputs() -> list:
    return [in_channels, out_channels, kernel_size, sum_tensor_shape]
