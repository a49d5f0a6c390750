import torch
import torch.nn as nn
import torch.nn.functional as F


class Model(nn.Module):
    """2D transposed convolution, a constant added, minimum with zero, GELU, scaling.

    The sum is seldom negative for these inputs, so that nearly all of the result
    is zero. x has shape (batch_size, in_channels, height, width), the result
    (batch_size, out_channels, height', width') with
    s' = (s - 1) * stride + kernel_size.
    """

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: int,
        stride: int,
        add_value: float,
        multiply_value: float,
    ) -> None:
        super().__init__()
        self.conv_transpose = nn.ConvTranspose2d(
            in_channels, out_channels, kernel_size, stride=stride
        )
        self.add_value = add_value
        self.multiply_value = multiply_value

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = self.conv_transpose(x) + self.add_value
        x = torch.min(x, torch.tensor(0.0, device=x.device))
        x = F.gelu(x)
        return x * self.multiply_value


batch_size = 128
in_channels = 64
out_channels = 128
height = 64
width = 64
kernel_size = 4
stride = 2
add_value = 0.5
multiply_value = 2.0


def get_inputs() -> list[torch.Tensor]:
    return [torch.rand(batch_size, in_channels, height, width)]


def get_init_inputs() -> list:
    return [in_channels, out_channels, kernel_size, stride, add_value, multiply_value]
