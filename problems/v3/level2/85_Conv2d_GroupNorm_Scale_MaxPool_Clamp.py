import torch
import torch.nn as nn


class Model(nn.Module):
    """2D convolution, group normalisation, learned scale, max pooling, clamp.

    x has shape (batch_size, in_channels, height, width). The convolution has
    stride 1 and no padding; every image is normalised in num_groups groups
    of neighbouring channels (eps 1e-5); scale has one value per channel; the
    pooling takes blocks of maxpool_kernel_size per side and drops what is left
    over. The result has out_channels channels, sides of
    (n - kernel_size + 1) // maxpool_kernel_size and values in
    [clamp_min, clamp_max].
    """

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: int,
        num_groups: int,
        scale_shape: tuple[int, ...],
        maxpool_kernel_size: int,
        clamp_min: float,
        clamp_max: float,
    ) -> None:
        super().__init__()
        self.conv = nn.Conv2d(in_channels, out_channels, kernel_size)
        self.group_norm = nn.GroupNorm(num_groups, out_channels)
        self.scale = nn.Parameter(torch.ones(scale_shape))
        self.maxpool = nn.MaxPool2d(kernel_size=maxpool_kernel_size)
        self.clamp_min = clamp_min
        self.clamp_max = clamp_max

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = self.conv(x)
        x = self.group_norm(x)
        x = x * self.scale
        x = self.maxpool(x)
        return torch.clamp(x, self.clamp_min, self.clamp_max)


OP_TYPE = "fused"
SUPPORTED_PRECISIONS = ["fp16", "bf16", "fp32"]
HARDWARE_REQUIRED = ["RTX3090", "H100", "B200"]
batch_size = 16
in_channels = 3
out_channels = 16
height = 256
width = 256
kernel_size = 3
num_groups = 8
scale_shape = (out_channels, 1, 1)
maxpool_kernel_size = 2
clamp_min = 0.0
clamp_max = 1.0


def get_inputs() -> list[torch.Tensor]:
    return [torch.randn(batch_size, in_channels, height, width)]


def get_init_inputs() -> list:
    return [
        in_channels,
        out_channels,
        kernel_size,
        num_groups,
        scale_shape,
        maxpool_kernel_size,
        clamp_min,
        clamp_max,
    ]
