import torch
import torch.nn as nn


class Model(nn.Module):
    """3D convolution, learned factors, instance normalisation, clipping, the same factors, maximum.

    The normalisation takes the mean and (biased) variance of each channel of
    each sample and has no affine parameters; clipping is to
    [clamp_min, clamp_max]; the maximum runs over the channels. x has shape
    (batch_size, in_channels, depth, height, width), the result
    (batch_size, depth - k, height - k, width - k) with k = kernel_size - 1.
    """

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: int,
        multiplier_shape: tuple[int, ...],
        clamp_min: float,
        clamp_max: float,
    ) -> None:
        super().__init__()
        self.conv = nn.Conv3d(in_channels, out_channels, kernel_size)
        self.multiplier = nn.Parameter(torch.randn(multiplier_shape))
        self.instance_norm = nn.InstanceNorm3d(out_channels)
        self.clamp_min = clamp_min
        self.clamp_max = clamp_max

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = self.conv(x) * self.multiplier
        x = self.instance_norm(x)
        x = torch.clamp(x, self.clamp_min, self.clamp_max)
        x = x * self.multiplier
        return torch.max(x, dim=1)[0]


batch_size = 128
in_channels = 3
out_channels = 16
depth = 16
height = 32
width = 32
kernel_size = 3
multiplier_shape = (out_channels, 1, 1, 1)
clamp_min = -1.0
clamp_max = 1.0


def get_inputs() -> list[torch.Tensor]:
    return [torch.rand(batch_size, in_channels, depth, height, width)]


def get_init_inputs() -> list:
    return [in_channels, out_channels, kernel_size, multiplier_shape, clamp_min, clamp_max]
