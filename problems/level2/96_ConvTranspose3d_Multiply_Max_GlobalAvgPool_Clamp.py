import torch
import torch.nn as nn


class Model(nn.Module):
    """3D transposed convolution, scaling, max pooling, global mean, clipping to [0, 1].

    The pooling windows do not overlap; positions left over at the end are
    dropped. The mean is taken over all positions of a channel. x has shape
    (batch_size, in_channels, depth, height, width), the result
    (batch_size, out_channels, 1, 1, 1).
    """

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: int,
        stride: int,
        padding: int,
        scale: float,
        maxpool_kernel_size: int,
    ) -> None:
        super().__init__()
        self.conv_transpose = nn.ConvTranspose3d(
            in_channels, out_channels, kernel_size, stride=stride, padding=padding
        )
        self.scale = scale
        self.maxpool = nn.MaxPool3d(kernel_size=maxpool_kernel_size)
        self.global_avg_pool = nn.AdaptiveAvgPool3d((1, 1, 1))
        self.clamp_min = 0
        self.clamp_max = 1

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = self.conv_transpose(x) * self.scale
        x = self.maxpool(x)
        x = self.global_avg_pool(x)
        return torch.clamp(x, min=self.clamp_min, max=self.clamp_max)


batch_size = 128
in_channels = 3
out_channels = 16
depth = 16
height = 32
width = 32
kernel_size = 3
stride = 2
padding = 1
scale = 0.5
maxpool_kernel_size = 2


def get_inputs() -> list[torch.Tensor]:
    return [torch.rand(batch_size, in_channels, depth, height, width)]


def get_init_inputs() -> list:
    return [in_channels, out_channels, kernel_size, stride, padding, scale, maxpool_kernel_size]
