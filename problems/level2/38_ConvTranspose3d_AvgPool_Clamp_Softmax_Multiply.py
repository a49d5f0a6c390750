import torch
import torch.nn as nn


class Model(nn.Module):
    """3D average pooling, transposed convolution, clamp, spatial softmax, channel scale.

    The softmax runs over all depth * height * width positions of a channel; the
    learned scale starts as ones. The pooling comes first although the problem's
    name says otherwise. x has shape (batch_size, in_channels, depth, height, width);
    the pooling halves the spatial sizes and the convolution doubles them, so the
    result has shape (batch_size, out_channels, depth, height, width) for even sizes.
    """

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: int,
        stride: int,
        padding: int,
        output_padding: int,
        pool_kernel_size: int,
        clamp_min: float,
        clamp_max: float,
    ) -> None:
        super().__init__()
        self.avg_pool = nn.AvgPool3d(pool_kernel_size)
        self.conv_transpose = nn.ConvTranspose3d(
            in_channels,
            out_channels,
            kernel_size,
            stride=stride,
            padding=padding,
            output_padding=output_padding,
        )
        self.clamp_min = clamp_min
        self.clamp_max = clamp_max
        self.scale = nn.Parameter(torch.ones(1, out_channels, 1, 1, 1))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = self.avg_pool(x)
        x = self.conv_transpose(x)
        x = torch.clamp(x, self.clamp_min, self.clamp_max)
        weights = torch.softmax(x.flatten(start_dim=2), dim=2)
        return weights.view(x.shape) * self.scale


batch_size = 32
in_channels = 32
out_channels = 64
depth = 32
height = 64
width = 64
kernel_size = 3
stride = 2
padding = 1
output_padding = 1
pool_kernel_size = 2
clamp_min = 0.0
clamp_max = 1.0


def get_inputs() -> list[torch.Tensor]:
    return [torch.rand(batch_size, in_channels, depth, height, width)]


def get_init_inputs() -> list:
    return [
        in_channels,
        out_channels,
        kernel_size,
        stride,
        padding,
        output_padding,
        pool_kernel_size,
        clamp_min,
        clamp_max,
    ]
