import torch
import torch.nn as nn


class Model(nn.Module):
    """2D convolution y, y + hardswish(tanh(groupnorm(y))), logsumexp over the channels.

    x has shape (batch_size, in_channels, height, width), the result
    (batch_size, 1, height - kernel_size + 1, width - kernel_size + 1).
    """

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: int,
        groups: int,
        eps: float = 1e-5,
    ) -> None:
        super().__init__()
        self.conv = nn.Conv2d(in_channels, out_channels, kernel_size)
        self.group_norm = nn.GroupNorm(groups, out_channels, eps=eps)
        self.tanh = nn.Tanh()
        self.hard_swish = nn.Hardswish()

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        y = self.conv(x)
        activated = self.hard_swish(self.tanh(self.group_norm(y)))
        return torch.logsumexp(y + activated, dim=1, keepdim=True)


batch_size = 128
in_channels = 8
out_channels = 64
height = 128
width = 128
kernel_size = 3
groups = 16


def get_inputs() -> list[torch.Tensor]:
    return [torch.rand(batch_size, in_channels, height, width)]


def get_init_inputs() -> list:
    return [in_channels, out_channels, kernel_size, groups]
