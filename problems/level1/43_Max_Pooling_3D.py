import torch
import torch.nn as nn


class Model(nn.Module):
    """Maximum over a cubic, dilated window that slides over three dimensions.

    x has shape (batch_size, channels, dim1, dim2, dim3). The borders are padded with
    minus infinity. Each spatial extent n becomes
    (n + 2 * padding - dilation * (kernel_size - 1) - 1) // stride + 1 (rounded up
    instead with ceil_mode). Without a stride the window moves by its own size.
    """

    def __init__(
        self,
        kernel_size: int,
        stride: int | None = None,
        padding: int = 0,
        dilation: int = 1,
        return_indices: bool = False,
        ceil_mode: bool = False,
    ) -> None:
        super().__init__()
        self.maxpool = nn.MaxPool3d(
            kernel_size=kernel_size,
            stride=stride,
            padding=padding,
            dilation=dilation,
            return_indices=return_indices,
            ceil_mode=ceil_mode,
        )

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.maxpool(x)


batch_size = 16
channels = 32
dim1 = 128
dim2 = 128
dim3 = 128
kernel_size = 3
stride = 2
padding = 1
dilation = 3


def get_inputs() -> list[torch.Tensor]:
    return [torch.rand(batch_size, channels, dim1, dim2, dim3)]


def get_init_inputs() -> list:
    return [kernel_size, stride, padding, dilation]
