import torch
import torch.nn as nn


class BasicBlock(nn.Module):
    """Two 3x3 convolutions with batch normalisation, plus the input or its projection."""

    expansion = 1

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        stride: int = 1,
        downsample: nn.Module | None = None,
    ) -> None:
        super().__init__()
        self.conv1 = nn.Conv2d(
            in_channels, out_channels, kernel_size=3, stride=stride, padding=1, bias=False
        )
        self.bn1 = nn.BatchNorm2d(out_channels)
        self.relu = nn.ReLU(inplace=True)
        self.conv2 = nn.Conv2d(out_channels, out_channels, kernel_size=3, padding=1, bias=False)
        self.bn2 = nn.BatchNorm2d(out_channels)
        self.downsample = downsample
        self.stride = stride

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        y = self.relu(self.bn1(self.conv1(x)))
        y = self.bn2(self.conv2(y))
        y += x if self.downsample is None else self.downsample(x)
        return self.relu(y)


def make_stage(in_channels: int, out_channels: int, blocks: int, stride: int) -> nn.Sequential:
    """Builds `blocks` blocks; the first one changes the resolution and the width."""
    width = out_channels * BasicBlock.expansion
    downsample = None
    if stride != 1 or in_channels != width:
        downsample = nn.Sequential(
            nn.Conv2d(in_channels, width, kernel_size=1, stride=stride, bias=False),
            nn.BatchNorm2d(width),
        )
    first = BasicBlock(in_channels, out_channels, stride, downsample)
    return nn.Sequential(first, *(BasicBlock(width, out_channels) for _ in range(1, blocks)))


class Model(nn.Module):
    """ResNet-18: stem, four stages of two basic blocks, global mean, linear layer.

    The batch normalisations use the statistics of the batch (training mode). x has
    shape (batch_size, 3, height, width), the result (batch_size, num_classes).
    """

    def __init__(self, num_classes: int = 1000) -> None:
        super().__init__()
        self.conv1 = nn.Conv2d(3, 64, kernel_size=7, stride=2, padding=3, bias=False)
        self.bn1 = nn.BatchNorm2d(64)
        self.relu = nn.ReLU(inplace=True)
        self.maxpool = nn.MaxPool2d(kernel_size=3, stride=2, padding=1)

        self.layer1 = make_stage(64, 64, blocks=2, stride=1)
        self.layer2 = make_stage(64, 128, blocks=2, stride=2)
        self.layer3 = make_stage(128, 256, blocks=2, stride=2)
        self.layer4 = make_stage(256, 512, blocks=2, stride=2)

        self.avgpool = nn.AdaptiveAvgPool2d((1, 1))
        self.fc = nn.Linear(512 * BasicBlock.expansion, num_classes)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = self.maxpool(self.relu(self.bn1(self.conv1(x))))
        for stage in (self.layer1, self.layer2, self.layer3, self.layer4):
            x = stage(x)
        return self.fc(torch.flatten(self.avgpool(x), 1))


batch_size = 2
num_classes = 1000
input_shape = (batch_size, 3, 224, 224)


def get_inputs() -> list[torch.Tensor]:
    return [torch.rand(input_shape)]


def get_init_inputs() -> list:
    return [num_classes]
