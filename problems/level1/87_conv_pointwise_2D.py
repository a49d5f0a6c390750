import torch
import torch.nn as nn


class Model(nn.Module):
    """Pointwise 2D convolution: the same matrix mixes the channels of every pixel.

    x has shape (batch_size, in_channels, height, width), the result
    (batch_size, out_channels, height, width). There is no bias unless asked for. The
    layer is two-dimensional, though its attribute is called conv1d.
    """

    def __init__(self, in_channels: int, out_channels: int, bias: bool = False) -> None:
        super().__init__()
        self.conv1d = nn.Conv2d(
            in_channels, out_channels, kernel_size=1, stride=1, padding=0, bias=bias
        )

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.conv1d(x)


batch_size = 16
in_channels = 64
out_channels = 128
width = 1024
height = 1024


def get_inputs() -> list[torch.Tensor]:
    return [torch.rand(batch_size, in_channels, height, width)]


def get_init_inputs() -> list:
    return [in_channels, out_channels]
