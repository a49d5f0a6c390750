import torch
import torch.nn as nn


class Model(nn.Module):
    """3D transposed convolution, addition of a learned scalar, layer norm, pooling, GELU.

    norm_shape has one dimension, so the normalisation runs along the width of the
    convolution's result, which must be norm_shape[0] wide (2 * width; it happens to
    equal out_channels). The scalar shifts mean and values alike and has no effect.
    x has shape (batch_size, in_channels, depth, height, width), the result
    (batch_size, out_channels, depth, height, width): the convolution doubles the
    spatial sizes and the average pooling halves them.
    """

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: tuple[int, int, int],
        stride: tuple[int, int, int],
        padding: tuple[int, int, int],
        output_padding: tuple[int, int, int],
        sum_weight: float,
        norm_shape: tuple[int, ...],
        pool_kernel_size: tuple[int, int, int],
    ) -> None:
        super().__init__()
        self.conv_transpose = nn.ConvTranspose3d(
            in_channels,
            out_channels,
            kernel_size,
            stride=stride,
            padding=padding,
            output_padding=output_padding,
        )
        self.sum_weight = nn.Parameter(torch.tensor(sum_weight))
        self.norm = nn.LayerNorm(norm_shape)
        self.avg_pool = nn.AvgPool3d(kernel_size=pool_kernel_size)
        self.gelu = nn.GELU()

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = self.conv_transpose(x)
        x = x + self.sum_weight
        x = self.norm(x)
        x = self.avg_pool(x)
        return self.gelu(x)


batch_size = 32
in_channels = 32
out_channels = 64
depth = 16
height = 32
width = 32
kernel_size = (3, 3, 3)
stride = (2, 2, 2)
padding = (1, 1, 1)
output_padding = (1, 1, 1)
sum_weight = 1.0
norm_shape = (out_channels,)
pool_kernel_size = (2, 2, 2)


def get_inputs() -> list[torch.Tensor]:
    return [torch.rand(batch_size, in_channels, depth, height, width)]


def get_init_inputs() -> list:
    return [
        in_channels,
        out_channels,
        kernel_size,
        stride,
        padding,
        output_padding,
        sum_weight,
        norm_shape,
        pool_kernel_size,
    ]
