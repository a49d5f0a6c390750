import torch
import torch.nn as nn


class Model(nn.Module):
    """3D convolution, group norm, mean over everything but the batch.

    With the affine parameters as built (ones and zeros) the mean of a normalised
    sample is zero up to rounding, whatever the input. x has shape
    (batch_size, in_channels, D, H, W), the result (batch_size,).
    """

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: int,
        num_groups: int,
    ) -> None:
        super().__init__()
        self.conv = nn.Conv3d(in_channels, out_channels, kernel_size)
        self.group_norm = nn.GroupNorm(num_groups, out_channels)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = self.conv(x)
        x = self.group_norm(x)
        return x.mean(dim=[1, 2, 3, 4])


batch_size = 128
in_channels = 3
out_channels = 24
D = 24
H = 32
W = 32
kernel_size = 3
num_groups = 8


def get_inputs() -> list[torch.Tensor]:
    return [torch.rand(batch_size, in_channels, D, H, W)]


def get_init_inputs() -> list:
    return [in_channels, out_channels, kernel_size, num_groups]
