import torch
import torch.nn as nn


class Model(nn.Module):
    """3D convolution, softmax over the channels, max pooling twice.

    x has shape (batch_size, in_channels, depth, height, width). The convolution
    has stride 1 and no padding; each pooling takes blocks of pool_kernel_size
    per side and drops what is left over. The result has out_channels channels
    and sides of (n - kernel_size + 1) // pool_kernel_size // pool_kernel_size.
    """

    def __init__(
        self, in_channels: int, out_channels: int, kernel_size: int, pool_kernel_size: int
    ) -> None:
        super().__init__()
        self.conv = nn.Conv3d(in_channels, out_channels, kernel_size)
        self.pool1 = nn.MaxPool3d(pool_kernel_size)
        self.pool2 = nn.MaxPool3d(pool_kernel_size)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = self.conv(x)
        x = torch.softmax(x, dim=1)
        return self.pool2(self.pool1(x))


OP_TYPE = "fused"
SUPPORTED_PRECISIONS = ["fp16", "bf16", "fp32"]
HARDWARE_REQUIRED = ["RTX3090", "H100", "B200"]
batch_size = 16
in_channels = 3
out_channels = 16
depth = 16
height = 128
width = 128
kernel_size = 3
pool_kernel_size = 2


def get_inputs() -> list[torch.Tensor]:
    return [torch.randn(batch_size, in_channels, depth, height, width)]


def get_init_inputs() -> list:
    return [in_channels, out_channels, kernel_size, pool_kernel_size]
