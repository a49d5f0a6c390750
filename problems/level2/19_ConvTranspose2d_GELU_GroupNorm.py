import torch
import torch.nn as nn
import torch.nn.functional as F


class Model(nn.Module):
    """2D transposed convolution, GELU, group norm.

    The parameter groups is unused (the convolution is not grouped). x has shape
    (batch_size, in_channels, height, width); with stride 1 and no padding the
    result has shape
    (batch_size, out_channels, height + kernel_size - 1, width + kernel_size - 1).
    """

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: int,
        stride: int,
        groups: int,
        num_groups: int,
    ) -> None:
        super().__init__()
        self.conv_transpose = nn.ConvTranspose2d(
            in_channels, out_channels, kernel_size, stride=stride
        )
        self.group_norm = nn.GroupNorm(num_groups=num_groups, num_channels=out_channels)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = self.conv_transpose(x)
        x = F.gelu(x)
        return self.group_norm(x)


batch_size = 128
in_channels = 64
out_channels = 64
height = 256
width = 256
kernel_size = 3
stride = 1
groups = 8
num_groups = 8


def get_inputs() -> list[torch.Tensor]:
    return [torch.rand(batch_size, in_channels, height, width)]


def get_init_inputs() -> list:
    return [in_channels, out_channels, kernel_size, stride, groups, num_groups]
