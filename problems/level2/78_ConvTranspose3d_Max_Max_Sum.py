import torch
import torch.nn as nn


class Model(nn.Module):
    """3D transposed convolution, max pooling by 2, max pooling by 3, sum over the channels.

    The pooling windows do not overlap; positions left over at the end are
    dropped. x has shape (batch_size, in_channels, depth, height, width), the
    result (batch_size, 1, depth', height', width') with
    s' = ((s - 1) * stride - 2 * padding + kernel_size) // 6.
    """

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: int,
        stride: int,
        padding: int,
    ) -> None:
        super().__init__()
        self.conv_transpose = nn.ConvTranspose3d(
            in_channels, out_channels, kernel_size, stride=stride, padding=padding
        )
        self.max_pool1 = nn.MaxPool3d(kernel_size=2)
        self.max_pool2 = nn.MaxPool3d(kernel_size=3)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = self.conv_transpose(x)
        x = self.max_pool1(x)
        x = self.max_pool2(x)
        return x.sum(dim=1, keepdim=True)


batch_size = 16
in_channels = 32
out_channels = 64
depth = 32
height = 32
width = 32
kernel_size = 5
stride = 2
padding = 2


def get_inputs() -> list[torch.Tensor]:
    return [torch.rand(batch_size, in_channels, depth, height, width)]


def get_init_inputs() -> list:
    return [in_channels, out_channels, kernel_size, stride, padding]
