import torch
import torch.nn as nn


class Model(nn.Module):
    """Mean over a cubic window that slides over depth, height and width.

    x has shape (batch_size, channels, depth, height, width). The borders are padded
    with zeros, which count as elements of the window. Each spatial extent n becomes
    (n + 2 * padding - kernel_size) // stride + 1.
    """

    def __init__(self, kernel_size: int, stride: int | None = None, padding: int = 0) -> None:
        super().__init__()
        self.avg_pool = nn.AvgPool3d(kernel_size=kernel_size, stride=stride, padding=padding)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.avg_pool(x)


batch_size = 16
channels = 32
depth = 128
height = 128
width = 256
kernel_size = 3
stride = 2
padding = 1


def get_inputs() -> list[torch.Tensor]:
    return [torch.rand(batch_size, channels, depth, height, width)]


def get_init_inputs() -> list:
    return [kernel_size, stride, padding]
