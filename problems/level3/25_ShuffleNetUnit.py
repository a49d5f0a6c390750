import torch
import torch.nn as nn
import torch.nn.functional as F


class ChannelShuffle(nn.Module):
    """Interleaves the channels of `groups` equal groups."""

    def __init__(self, groups: int) -> None:
        super().__init__()
        self.groups = groups

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        batch, channels, height, width = x.shape
        x = x.view(batch, self.groups, channels // self.groups, height, width)
        x = x.transpose(1, 2).contiguous()
        return x.view(batch, channels, height, width)


class Model(nn.Module):
    """Unit of ShuffleNet with stride 1.

    Grouped 1x1 convolution, depthwise 3x3 convolution, channel shuffle (which here
    comes after the depthwise convolution) and a second grouped 1x1 convolution; the
    input, or its 1x1 projection if the number of channels changes, is added last.
    The batch normalisations use the statistics of the batch (training mode). x has
    shape (batch_size, in_channels, height, width), the result
    (batch_size, out_channels, height, width).
    """

    def __init__(self, in_channels: int, out_channels: int, groups: int = 3) -> None:
        super().__init__()
        assert out_channels % 4 == 0, "out_channels must be a multiple of 4"
        mid_channels = out_channels // 4

        self.conv1 = nn.Conv2d(in_channels, mid_channels, 1, groups=groups, bias=False)
        self.bn1 = nn.BatchNorm2d(mid_channels)
        self.conv2 = nn.Conv2d(
            mid_channels, mid_channels, 3, padding=1, groups=mid_channels, bias=False
        )
        self.bn2 = nn.BatchNorm2d(mid_channels)
        self.conv3 = nn.Conv2d(mid_channels, out_channels, 1, groups=groups, bias=False)
        self.bn3 = nn.BatchNorm2d(out_channels)
        self.shuffle = ChannelShuffle(groups)
        self.shortcut = nn.Sequential()
        if in_channels != out_channels:
            self.shortcut = nn.Sequential(
                nn.Conv2d(in_channels, out_channels, 1, bias=False),
                nn.BatchNorm2d(out_channels),
            )

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        y = F.relu(self.bn1(self.conv1(x)))
        y = self.bn2(self.conv2(y))
        y = self.shuffle(y)
        y = F.relu(self.bn3(self.conv3(y)))
        y += self.shortcut(x)
        return y


batch_size = 10
input_channels = 240
out_channels = 480
groups = 3
height = 224
width = 224
num_classes = 1000


def get_inputs() -> list[torch.Tensor]:
    return [torch.rand(batch_size, input_channels, height, width)]


def get_init_inputs() -> list:
    return [input_channels, out_channels, groups]
