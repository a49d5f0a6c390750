import torch
import torch.nn as nn


class Model(nn.Module):
    """Maximum over a sliding, dilated window of a sequence.

    x has shape (batch_size, features, sequence_length). Both ends are padded with
    minus infinity. The result has shape (batch_size, features, length_out) with
    length_out = (sequence_length + 2 * padding - dilation * (kernel_size - 1) - 1) // stride + 1.
    Without a stride the window moves by its own size.
    """

    def __init__(
        self,
        kernel_size: int,
        stride: int | None = None,
        padding: int = 0,
        dilation: int = 1,
        return_indices: bool = False,
    ) -> None:
        super().__init__()
        self.maxpool = nn.MaxPool1d(
            kernel_size=kernel_size,
            stride=stride,
            padding=padding,
            dilation=dilation,
            return_indices=return_indices,
        )

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.maxpool(x)


batch_size = 64
features = 192
sequence_length = 65536
kernel_size = 8
stride = 1
padding = 4
dilation = 3
return_indices = False


def get_inputs() -> list[torch.Tensor]:
    return [torch.rand(batch_size, features, sequence_length)]


def get_init_inputs() -> list:
    return [kernel_size, stride, padding, dilation, return_indices]
