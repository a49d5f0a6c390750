import torch
import torch.nn as nn


class Model(nn.Module):
    """2D convolution, tanh, multiplication by a constant, learned bias, max pooling.

    x has shape (batch_size, in_channels, height, width). The convolution has
    stride 1 and no padding; the bias has one value per channel; the pooling
    takes blocks of pool_kernel_size per side and drops what is left over. The
    result has out_channels channels and sides of
    (n - kernel_size + 1) // pool_kernel_size.
    """

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: int,
        scaling_factor: float,
        bias_shape: tuple[int, ...],
        pool_kernel_size: int,
    ) -> None:
        super().__init__()
        self.conv = nn.Conv2d(in_channels, out_channels, kernel_size)
        self.scaling_factor = scaling_factor
        self.bias = nn.Parameter(torch.randn(bias_shape))
        self.max_pool = nn.MaxPool2d(pool_kernel_size)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = self.conv(x)
        x = torch.tanh(x)
        x = x * self.scaling_factor
        x = x + self.bias
        return self.max_pool(x)


OP_TYPE = "fused"
SUPPORTED_PRECISIONS = ["fp16", "bf16", "fp32"]
HARDWARE_REQUIRED = ["RTX3090", "H100", "B200"]
batch_size = 16
in_channels = 3
out_channels = 16
height = 256
width = 256
kernel_size = 3
scaling_factor = 2.0
bias_shape = (out_channels, 1, 1)
pool_kernel_size = 2


def get_inputs() -> list[torch.Tensor]:
    return [torch.randn(batch_size, in_channels, height, width)]


def get_init_inputs() -> list:
    return [in_channels, out_channels, kernel_size, scaling_factor, bias_shape, pool_kernel_size]
