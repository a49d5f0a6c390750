import torch
import torch.nn as nn
import torch.nn.functional as F


class Model(nn.Module):
    """3D convolution, Mish (x * tanh(log(1 + exp(x)))), tanh.

    x has shape (batch_size, in_channels, D, H, W). By default the convolution has
    stride 1 and no padding; the result then has out_channels channels and spatial
    sizes smaller by kernel_size - 1.
    """

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: int,
        stride: int = 1,
        padding: int = 0,
    ) -> None:
        super().__init__()
        self.conv = nn.Conv3d(
            in_channels, out_channels, kernel_size, stride=stride, padding=padding
        )

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = self.conv(x)
        x = F.mish(x)
        return torch.tanh(x)


batch_size = 16
in_channels = 32
out_channels = 64
D = 32
H = 64
W = 64
kernel_size = 3


def get_inputs() -> list[torch.Tensor]:
    return [torch.rand(batch_size, in_channels, D, H, W)]


def get_init_inputs() -> list:
    return [in_channels, out_channels, kernel_size]
