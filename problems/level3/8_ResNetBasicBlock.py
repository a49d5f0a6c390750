import torch
import torch.nn as nn


class Model(nn.Module):
    """Basic residual block of ResNet with a projection shortcut.

    y = relu(bn2(conv2(relu(bn1(conv1(x))))) + downsample(x)), with 3x3
    convolutions and a 1x1 convolution with batch normalisation as downsample. The
    batch normalisations use the statistics of the batch (training mode). x has
    shape (batch_size, in_channels, height, width), the result
    (batch_size, out_channels, ceil(height / stride), ceil(width / stride)).
    """

    expansion = 1

    def __init__(self, in_channels: int, out_channels: int, stride: int = 1) -> None:
        super().__init__()
        self.conv1 = nn.Conv2d(
            in_channels, out_channels, kernel_size=3, stride=stride, padding=1, bias=False
        )
        self.bn1 = nn.BatchNorm2d(out_channels)
        self.relu = nn.ReLU(inplace=True)
        self.conv2 = nn.Conv2d(out_channels, out_channels, kernel_size=3, padding=1, bias=False)
        self.bn2 = nn.BatchNorm2d(out_channels)
        width = out_channels * self.expansion
        self.downsample = nn.Sequential(
            nn.Conv2d(in_channels, width, kernel_size=1, stride=stride, bias=False),
            nn.BatchNorm2d(width),
        )
        self.stride = stride

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        y = self.relu(self.bn1(self.conv1(x)))
        y = self.bn2(self.conv2(y))
        y += self.downsample(x)
        return self.relu(y)


in_channels = 3
out_channels = 64
stride = 1
batch_size = 10
num_classes = 1000
height = 224
width = 224


def get_inputs() -> list[torch.Tensor]:
    return [torch.rand(batch_size, in_channels, height, width)]


def get_init_inputs() -> list:
    return [in_channels, out_channels, stride]
