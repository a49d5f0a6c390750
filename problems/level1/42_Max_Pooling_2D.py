import torch
import torch.nn as nn


class Model(nn.Module):
    """Maximum over a square window that slides over height and width.

    x has shape (batch_size, channels, height, width). The borders are padded with
    minus infinity. Each spatial extent n becomes
    (n + 2 * padding - dilation * (kernel_size - 1) - 1) // stride + 1.
    """

    def __init__(self, kernel_size: int, stride: int, padding: int, dilation: int) -> None:
        super().__init__()
        self.maxpool = nn.MaxPool2d(
            kernel_size=kernel_size, stride=stride, padding=padding, dilation=dilation
        )

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.maxpool(x)


batch_size = 32
channels = 64
height = 512
width = 512
kernel_size = 4
stride = 1
padding = 1
dilation = 1


def get_inputs() -> list[torch.Tensor]:
    return [torch.rand(batch_size, channels, height, width)]


def get_init_inputs() -> list:
    return [kernel_size, stride, padding, dilation]
