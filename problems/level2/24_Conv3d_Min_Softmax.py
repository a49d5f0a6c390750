import torch
import torch.nn as nn


class Model(nn.Module):
    """3D convolution, minimum along dimension dim, softmax over the channels.

    x has shape (batch_size, in_channels, D, H, W); with dim = 2 the depth goes, so
    the result has shape (batch_size, out_channels, H - kernel_size + 1,
    W - kernel_size + 1).
    """

    def __init__(self, in_channels: int, out_channels: int, kernel_size: int, dim: int) -> None:
        super().__init__()
        self.conv = nn.Conv3d(in_channels, out_channels, kernel_size)
        self.dim = dim

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = self.conv(x)
        x = torch.min(x, dim=self.dim).values
        return torch.softmax(x, dim=1)


batch_size = 128
in_channels = 3
out_channels = 24
D = 24
H = 32
W = 32
kernel_size = 3
dim = 2


def get_inputs() -> list[torch.Tensor]:
    return [torch.rand(batch_size, in_channels, D, H, W)]


def get_init_inputs() -> list:
    return [in_channels, out_channels, kernel_size, dim]
