import torch
import torch.nn as nn


class Model(nn.Module):
    """3D transposed convolution, logsumexp over the channels, y * sigmoid(y + 3) / 6.

    A learned scalar is then subtracted and the result clipped to [-1, 1]. The
    activation is not HardSwish, in spite of the name, and bias_shape is not used:
    the scalar always has shape (1, 1, 1, 1). x has shape
    (batch_size, in_channels, depth, height, width), the result
    (batch_size, 1, depth', height', width') with
    s' = (s - 1) * stride - 2 * padding + kernel_size.
    """

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: int,
        stride: int,
        padding: int,
        bias_shape: tuple[int, ...],
    ) -> None:
        super().__init__()
        self.conv_transpose = nn.ConvTranspose3d(
            in_channels, out_channels, kernel_size, stride=stride, padding=padding
        )
        self.bias = nn.Parameter(torch.randn(1, 1, 1, 1))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = self.conv_transpose(x)
        x = torch.logsumexp(x, dim=1, keepdim=True)
        x = x * torch.sigmoid(x + 3) / 6
        x = x - self.bias
        return torch.clamp(x, min=-1, max=1)


batch_size = 128
in_channels = 3
out_channels = 16
depth = 16
height = 32
width = 32
kernel_size = 3
stride = 2
padding = 1
bias_shape = (1, 1, 1, 1)


def get_inputs() -> list[torch.Tensor]:
    return [torch.rand(batch_size, in_channels, depth, height, width)]


def get_init_inputs() -> list:
    return [in_channels, out_channels, kernel_size, stride, padding, bias_shape]
