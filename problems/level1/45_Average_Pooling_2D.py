import torch
import torch.nn as nn


class Model(nn.Module):
    """Mean over a square window that slides over height and width.

    x has shape (batch_size, channels, height, width). Without a stride the windows
    do not overlap, and what is left over at the right and lower edge is dropped:
    each spatial extent n becomes (n - kernel_size) // kernel_size + 1.
    """

    def __init__(self, kernel_size: int, stride: int | None = None, padding: int = 0) -> None:
        super().__init__()
        self.avg_pool = nn.AvgPool2d(kernel_size=kernel_size, stride=stride, padding=padding)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.avg_pool(x)


batch_size = 16
channels = 64
height = 2048
width = 2048
kernel_size = 11


def get_inputs() -> list[torch.Tensor]:
    return [torch.rand(batch_size, channels, height, width)]


def get_init_inputs() -> list:
    return [kernel_size]
