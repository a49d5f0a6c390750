import torch
import torch.nn as nn


class Bottleneck(nn.Module):
    """1x1, 3x3 and 1x1 convolutions with batch normalisation, plus the input or its projection."""

    expansion = 4

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        stride: int = 1,
        downsample: nn.Module | None = None,
    ) -> None:
        super().__init__()
        width = out_channels * self.expansion
        self.conv1 = nn.Conv2d(in_channels, out_channels, kernel_size=1, bias=False)
        self.bn1 = nn.BatchNorm2d(out_channels)
        self.conv2 = nn.Conv2d(
            out_channels, out_channels, kernel_size=3, stride=stride, padding=1, bias=False
        )
        self.bn2 = nn.BatchNorm2d(out_channels)
        self.conv3 = nn.Conv2d(out_channels, width, kernel_size=1, bias=False)
        self.bn3 = nn.BatchNorm2d(width)
        self.relu = nn.ReLU(inplace=True)
        self.downsample = downsample
        self.stride = stride

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        y = self.relu(self.bn1(self.conv1(x)))
        y = self.relu(self.bn2(self.conv2(y)))
        y = self.bn3(self.conv3(y))
        y += x if self.downsample is None else self.downsample(x)
        return self.relu(y)


def make_stage(in_channels: int, out_channels: int, blocks: int, stride: int) -> nn.Sequential:
    """Builds `blocks` blocks; the first one changes the resolution and the width."""
    width = out_channels * Bottleneck.expansion
    downsample = None
    if stride != 1 or in_channels != width:
        downsample = nn.Sequential(
            nn.Conv2d(in_channels, width, kernel_size=1, stride=stride, bias=False),
            nn.BatchNorm2d(width),
        )
    first = Bottleneck(in_channels, out_channels, stride, downsample)
    return nn.Sequential(first, *(Bottleneck(width, out_channels) for _ in range(1, blocks)))


class Model(nn.Module):
    """ResNet with bottleneck blocks; layers = [3, 4, 23, 3] makes it ResNet-101.

    Stem, four stages with layers[i] blocks each, global mean, linear layer. The
    batch normalisations use the statistics of the batch (training mode). x has
    shape (batch_size, 3, height, width), the result (batch_size, num_classes).
    """

    def __init__(self, layers: list[int], num_classes: int = 1000) -> None:
        super().__init__()
        self.conv1 = nn.Conv2d(3, 64, kernel_size=7, stride=2, padding=3, bias=False)
        self.bn1 = nn.BatchNorm2d(64)
        self.relu = nn.ReLU(inplace=True)
        self.maxpool = nn.MaxPool2d(kernel_size=3, stride=2, padding=1)

        self.layer1 = make_stage(64, 64, layers[0], stride=1)
        self.layer2 = make_stage(256, 128, layers[1], stride=2)
        self.layer3 = make_stage(512, 256, layers[2], stride=2)
        self.layer4 = make_stage(1024, 512, layers[3], stride=2)

        self.avgpool = nn.AdaptiveAvgPool2d((1, 1))
        self.fc = nn.Linear(512 * Bottleneck.expansion, num_classes)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = self.maxpool(self.relu(self.bn1(self.conv1(x))))
        for stage in (self.layer1, self.layer2, self.layer3, self.layer4):
            x = stage(x)
        return self.fc(torch.flatten(self.avgpool(x), 1))


batch_size = 10
height = 224
width = 224
layers = [3, 4, 23, 3]
num_classes = 1000


def get_inputs() -> list[torch.Tensor]:
    return [torch.rand(batch_size, 3, height, width)]


def get_init_inputs() -> list:
    return [layers, num_classes]
