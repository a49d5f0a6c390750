import torch
import torch.nn as nn


class Model(nn.Module):
    """1D convolution with stride and dilation, without bias unless asked for.

    x has shape (batch_size, in_channels, length), the result
    (batch_size, out_channels, length_out) with
    length_out = (length - dilation * (kernel_size - 1) - 1) // stride + 1.
    """

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: int,
        stride: int = 1,
        dilation: int = 1,
        bias: bool = False,
    ) -> None:
        super().__init__()
        self.conv1d = nn.Conv1d(
            in_channels, out_channels, kernel_size, stride=stride, dilation=dilation, bias=bias
        )

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.conv1d(x)


batch_size = 64
in_channels = 64
out_channels = 128
kernel_size = 3
length = 524280
stride = 3
dilation = 4


def get_inputs() -> list[torch.Tensor]:
    return [torch.rand(batch_size, in_channels, length)]


def get_init_inputs() -> list:
    return [in_channels, out_channels, kernel_size, stride, dilation]
