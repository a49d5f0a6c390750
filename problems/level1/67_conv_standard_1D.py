import torch
import torch.nn as nn


class Model(nn.Module):
    """1D convolution, without bias unless asked for.

    x has shape (batch_size, in_channels, length). With the default stride, padding
    and dilation the result has shape (batch_size, out_channels, length - kernel_size + 1).
    """

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: int,
        stride: int = 1,
        padding: int = 0,
        dilation: int = 1,
        groups: int = 1,
        bias: bool = False,
    ) -> None:
        super().__init__()
        self.conv1d = nn.Conv1d(
            in_channels,
            out_channels,
            kernel_size,
            stride=stride,
            padding=padding,
            dilation=dilation,
            groups=groups,
            bias=bias,
        )

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.conv1d(x)


batch_size = 32
in_channels = 64
out_channels = 128
kernel_size = 3
length = 131072


def get_inputs() -> list[torch.Tensor]:
    return [torch.rand(batch_size, in_channels, length)]


def get_init_inputs() -> list:
    return [in_channels, out_channels, kernel_size]
