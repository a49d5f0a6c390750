import torch
import torch.nn as nn


class Model(nn.Module):
    """3D convolution, group normalisation, minimum with min_value, clipping, dropout.

    The minimum leaves nothing above min_value and the clip to
    [min_value, max_value] nothing below it, so that only min_value remains; it
    is 0, hence the result is zero whatever the input. The dropout, in training
    mode, has nothing to act on. x has shape
    (batch_size, in_channels, depth, height, width), the result
    (batch_size, out_channels, depth - k, height - k, width - k) with
    k = kernel_size - 1.
    """

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: int,
        groups: int,
        min_value: float,
        max_value: float,
        dropout_p: float,
    ) -> None:
        super().__init__()
        self.conv = nn.Conv3d(in_channels, out_channels, kernel_size)
        self.norm = nn.GroupNorm(groups, out_channels)
        self.dropout = nn.Dropout(dropout_p)
        self.min_value = min_value
        self.max_value = max_value

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = self.conv(x)
        x = self.norm(x)
        x = torch.min(x, torch.tensor(self.min_value, device=x.device))
        x = torch.clamp(x, min=self.min_value, max=self.max_value)
        return self.dropout(x)


batch_size = 128
in_channels = 3
out_channels = 16
depth = 16
height = 64
width = 64
kernel_size = 3
groups = 8
min_value = 0.0
max_value = 1.0
dropout_p = 0.2


def get_inputs() -> list[torch.Tensor]:
    return [torch.rand(batch_size, in_channels, depth, height, width)]


def get_init_inputs() -> list:
    return [in_channels, out_channels, kernel_size, groups, min_value, max_value, dropout_p]
