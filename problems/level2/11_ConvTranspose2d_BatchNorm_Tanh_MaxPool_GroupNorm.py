import torch
import torch.nn as nn


class Model(nn.Module):
    """2D transposed convolution, batch norm, tanh, 2 x 2 max pooling, group norm.

    The batch norm is in training mode: it uses the statistics of the batch and
    updates its running averages. The parameter groups is unused (the convolution is
    not grouped). x has shape (batch_size, in_channels, height, width); with a
    kernel of 5 and padding 1 the convolution adds 2 to height and width, and the
    pooling halves them, rounding down.
    """

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: int,
        stride: int,
        padding: int,
        groups: int,
        num_groups: int,
    ) -> None:
        super().__init__()
        self.conv_transpose = nn.ConvTranspose2d(
            in_channels, out_channels, kernel_size, stride=stride, padding=padding
        )
        self.batch_norm = nn.BatchNorm2d(out_channels)
        self.tanh = nn.Tanh()
        self.max_pool = nn.MaxPool2d(kernel_size=2, stride=2)
        self.group_norm = nn.GroupNorm(num_groups=num_groups, num_channels=out_channels)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = self.conv_transpose(x)
        x = self.batch_norm(x)
        x = self.tanh(x)
        x = self.max_pool(x)
        return self.group_norm(x)


batch_size = 512
in_channels = 64
out_channels = 128
height = 32
width = 32
kernel_size = 5
stride = 1
padding = 1
groups = 8
num_groups = 8


def get_inputs() -> list[torch.Tensor]:
    return [torch.rand(batch_size, in_channels, height, width)]


def get_init_inputs() -> list:
    return [in_channels, out_channels, kernel_size, stride, padding, groups, num_groups]
