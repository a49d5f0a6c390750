import torch
import torch.nn as nn


class Model(nn.Module):
    """Mean over a sliding window of a sequence.

    x has shape (batch_size, in_channels, input_length). Both ends are padded with
    zeros, which count as elements of the window. The result has shape
    (batch_size, in_channels, (input_length + 2 * padding - kernel_size) // stride + 1).
    """

    def __init__(self, kernel_size: int, stride: int = 1, padding: int = 0) -> None:
        super().__init__()
        self.avg_pool = nn.AvgPool1d(kernel_size=kernel_size, stride=stride, padding=padding)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.avg_pool(x)


batch_size = 64
in_channels = 128
input_length = 65536
kernel_size = 8
stride = 1
padding = 4


def get_inputs() -> list[torch.Tensor]:
    return [torch.rand(batch_size, in_channels, input_length)]


def get_init_inputs() -> list:
    return [kernel_size, stride, padding]
