import torch
import torch.nn as nn
import torch.nn.functional as F


class Model(nn.Module):
    """3D transposed convolution, layer norm, GELU, scaling.

    The layer norm runs along the last dimension, that is along the width of the
    convolution's result (2 * W), which must therefore equal out_channels. x has
    shape (batch_size, in_channels, D, H, W); with the kernel, stride and padding
    below the result has shape (batch_size, out_channels, 2 * D, 2 * H, 2 * W).
    """

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: int,
        stride: int,
        padding: int,
        bias: bool = True,
        eps: float = 1e-5,
        scaling_factor: float = 1.0,
    ) -> None:
        super().__init__()
        self.conv_transpose = nn.ConvTranspose3d(
            in_channels, out_channels, kernel_size, stride=stride, padding=padding, bias=bias
        )
        self.layer_norm = nn.LayerNorm(out_channels, eps=eps)
        self.scaling_factor = scaling_factor

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = self.conv_transpose(x)
        x = self.layer_norm(x)
        x = F.gelu(x)
        return x * self.scaling_factor


batch_size = 32
in_channels = 32
out_channels = 64
D = 16
H = 32
W = 32
kernel_size = 4
stride = 2
padding = 1
bias = True
eps = 1e-5
scaling_factor = 1.0


def get_inputs() -> list[torch.Tensor]:
    return [torch.rand(batch_size, in_channels, D, H, W)]


def get_init_inputs() -> list:
    return [in_channels, out_channels, kernel_size, stride, padding, bias, eps, scaling_factor]
