import torch
import torch.nn as nn


class Model(nn.Module):
    """Depthwise 2D convolution along the height: every channel with its own column kernel.

    The kernel has the extents (kernel_size, 1). x has shape
    (batch_size, in_channels, height, width). With stride 1, padding 0 and dilation 1
    the result has shape (batch_size, in_channels, height - kernel_size + 1, width);
    stride and padding would apply to both directions. There is no bias unless asked for.
    """

    def __init__(
        self,
        in_channels: int,
        kernel_size: int,
        stride: int = 1,
        padding: int = 0,
        dilation: int = 1,
        bias: bool = False,
    ) -> None:
        super().__init__()
        self.conv2d = nn.Conv2d(
            in_channels,
            in_channels,
            (kernel_size, 1),
            stride=stride,
            padding=padding,
            dilation=dilation,
            groups=in_channels,
            bias=bias,
        )

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.conv2d(x)


batch_size = 64
in_channels = 8
kernel_size = 3
width = 512
height = 512
stride = 1
padding = 0
dilation = 1


def get_inputs() -> list[torch.Tensor]:
    return [torch.rand(batch_size, in_channels, height, width)]


def get_init_inputs() -> list:
    return [in_channels, kernel_size, stride, padding, dilation]
