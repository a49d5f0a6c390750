import torch
import torch.nn as nn
import torch.nn.functional as F


class Model(nn.Module):
    """3D transposed convolution, Swish (y * sigmoid(y)), group normalisation, HardSwish.

    The channels are normalised in `groups` groups with the affine parameters
    they start with (ones and zeros). x has shape
    (batch_size, in_channels, depth, height, width), the result
    (batch_size, out_channels, depth', height', width') with
    s' = (s - 1) * stride - 2 * padding + kernel_size.
    """

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: int,
        stride: int,
        padding: int,
        groups: int,
        eps: float,
        bias: bool = True,
    ) -> None:
        super().__init__()
        self.conv_transpose = nn.ConvTranspose3d(
            in_channels, out_channels, kernel_size, stride=stride, padding=padding, bias=bias
        )
        self.group_norm = nn.GroupNorm(num_groups=groups, num_channels=out_channels, eps=eps)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = self.conv_transpose(x)
        x = torch.sigmoid(x) * x
        x = self.group_norm(x)
        return F.hardswish(x)


batch_size = 128
in_channels = 3
out_channels = 16
depth = 16
height = 32
width = 32
kernel_size = 3
stride = 2
padding = 1
groups = 4
eps = 1e-5


def get_inputs() -> list[torch.Tensor]:
    return [torch.rand(batch_size, in_channels, depth, height, width)]


def get_init_inputs() -> list:
    return [in_channels, out_channels, kernel_size, stride, padding, groups, eps]
