from collections.abc import Sequence

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


class ShuffleNetUnit(nn.Module):
    """Grouped 1x1, depthwise 3x3, shuffle, grouped 1x1; plus the input or its projection."""

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


def make_stage(in_channels: int, out_channels: int, repeats: int, groups: int) -> nn.Sequential:
    """Builds `repeats` units; the first one changes the number of channels."""
    first = ShuffleNetUnit(in_channels, out_channels, groups)
    rest = (ShuffleNetUnit(out_channels, out_channels, groups) for _ in range(1, repeats))
    return nn.Sequential(first, *rest)


class Model(nn.Module):
    """ShuffleNet without strides between the stages.

    Stem, three stages of units, 1x1 convolution to 1024 channels, global mean,
    linear layer. Only the stem reduces the resolution (by 4). The batch
    normalisations use the statistics of the batch (training mode). x has shape
    (batch_size, 3, height, width), the result (batch_size, num_classes).
    """

    def __init__(
        self,
        num_classes: int = 1000,
        groups: int = 3,
        stages_repeats: Sequence[int] = (3, 7, 3),
        stages_out_channels: Sequence[int] = (24, 240, 480, 960),
    ) -> None:
        super().__init__()
        stem, width2, width3, width4 = stages_out_channels
        self.conv1 = nn.Conv2d(3, stem, kernel_size=3, stride=2, padding=1, bias=False)
        self.bn1 = nn.BatchNorm2d(stem)
        self.maxpool = nn.MaxPool2d(kernel_size=3, stride=2, padding=1)

        self.stage2 = make_stage(stem, width2, stages_repeats[0], groups)
        self.stage3 = make_stage(width2, width3, stages_repeats[1], groups)
        self.stage4 = make_stage(width3, width4, stages_repeats[2], groups)

        self.conv5 = nn.Conv2d(width4, 1024, kernel_size=1, bias=False)
        self.bn5 = nn.BatchNorm2d(1024)
        self.fc = nn.Linear(1024, num_classes)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = self.maxpool(F.relu(self.bn1(self.conv1(x))))
        x = self.stage4(self.stage3(self.stage2(x)))
        x = F.relu(self.bn5(self.conv5(x)))
        x = torch.flatten(F.adaptive_avg_pool2d(x, (1, 1)), 1)
        return self.fc(x)


batch_size = 10
input_channels = 3
height = 224
width = 224
num_classes = 1000


def get_inputs() -> list[torch.Tensor]:
    return [torch.rand(batch_size, input_channels, height, width)]


def get_init_inputs() -> list:
    return [num_classes]
