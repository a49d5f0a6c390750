import torch
import torch.nn as nn


class Model(nn.Module):
    """2D convolution (with its own bias), ReLU, then a second, learned bias.

    x has shape (batch_size, in_channels, height, width). The convolution has
    stride 1 and no padding, so the result has shape
    (batch_size, out_channels, height - kernel_size + 1, width - kernel_size + 1).
    The second bias is added after the ReLU, hence the result may be negative.
    """

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: int,
        bias_shape: tuple[int, ...],
    ) -> None:
        super().__init__()
        self.conv = nn.Conv2d(in_channels, out_channels, kernel_size)
        self.bias = nn.Parameter(torch.randn(bias_shape))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = self.conv(x)
        x = torch.relu(x)
        return x + self.bias


batch_size = 128
in_channels = 64
out_channels = 128
height = 128
width = 128
kernel_size = 3
bias_shape = (out_channels, 1, 1)


def get_inputs() -> list[torch.Tensor]:
    return [torch.rand(batch_size, in_channels, height, width)]


def get_init_inputs() -> list:
    return [in_channels, out_channels, kernel_size, bias_shape]
