import torch
import torch.nn as nn


class Model(nn.Module):
    """2D convolution, tanh between two subtractions, average pooling.

    x has shape (batch_size, in_channels, height, width). The convolution has
    stride 1 and no padding; the pooling averages blocks of kernel_size_pool
    per side and drops what is left over. The result has out_channels channels
    and sides of (n - kernel_size + 1) // kernel_size_pool.
    """

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: int,
        subtract1_value: float,
        subtract2_value: float,
        kernel_size_pool: int,
    ) -> None:
        super().__init__()
        self.conv = nn.Conv2d(in_channels, out_channels, kernel_size)
        self.subtract1_value = subtract1_value
        self.subtract2_value = subtract2_value
        self.avgpool = nn.AvgPool2d(kernel_size_pool)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = self.conv(x)
        x = torch.tanh(x - self.subtract1_value)
        x = x - self.subtract2_value
        return self.avgpool(x)


OP_TYPE = "fused"
SUPPORTED_PRECISIONS = ["fp16", "bf16", "fp32"]
HARDWARE_REQUIRED = ["RTX3090", "H100", "B200"]
batch_size = 16
in_channels = 3
out_channels = 16
height = 256
width = 256
kernel_size = 3
subtract1_value = 0.5
subtract2_value = 0.2
kernel_size_pool = 2


def get_inputs() -> list[torch.Tensor]:
    return [torch.randn(batch_size, in_channels, height, width)]


def get_init_inputs() -> list:
    return [
        in_channels,
        out_channels,
        kernel_size,
        subtract1_value,
        subtract2_value,
        kernel_size_pool,
    ]
