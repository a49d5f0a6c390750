import torch
import torch.nn as nn


class Model(nn.Module):
    """2D convolution, minimum over the channels, tanh twice.

    x has shape (batch_size, in_channels, height, width), the result
    (batch_size, 1, height - kernel_size + 1, width - kernel_size + 1).
    """

    def __init__(self, in_channels: int, out_channels: int, kernel_size: int) -> None:
        super().__init__()
        self.conv = nn.Conv2d(in_channels, out_channels, kernel_size)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = self.conv(x)
        x = torch.min(x, dim=1, keepdim=True).values
        x = torch.tanh(x)
        return torch.tanh(x)


batch_size = 128
in_channels = 16
out_channels = 64
height = 256
width = 256
kernel_size = 3


def get_inputs() -> list[torch.Tensor]:
    return [torch.rand(batch_size, in_channels, height, width)]


def get_init_inputs() -> list:
    return [in_channels, out_channels, kernel_size]
