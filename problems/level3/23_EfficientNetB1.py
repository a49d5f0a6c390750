import torch
import torch.nn as nn
import torch.nn.functional as F


def mbconv_block(
    in_channels: int, out_channels: int, stride: int, expand_ratio: int
) -> nn.Sequential:
    """Pointwise expansion, depthwise 3x3 convolution and linear projection, no shortcut."""
    hidden = in_channels * expand_ratio
    return nn.Sequential(
        nn.Conv2d(in_channels, hidden, kernel_size=1, bias=False),
        nn.BatchNorm2d(hidden),
        nn.ReLU6(inplace=True),
        nn.Conv2d(hidden, hidden, 3, stride, padding=1, groups=hidden, bias=False),
        nn.BatchNorm2d(hidden),
        nn.ReLU6(inplace=True),
        nn.Conv2d(hidden, out_channels, kernel_size=1, bias=False),
        nn.BatchNorm2d(out_channels),
    )


class Model(nn.Module):
    """Seven MBConv blocks between stem and head; far shallower than EfficientNet-B1.

    The blocks have neither shortcuts nor squeeze-and-excitation. The batch
    normalisations use the statistics of the batch (training mode). x has shape
    (batch_size, 3, height, width), the result (batch_size, num_classes).
    """

    def __init__(self, num_classes: int = 1000) -> None:
        super().__init__()
        self.conv1 = nn.Conv2d(3, 32, kernel_size=3, stride=2, padding=1, bias=False)
        self.bn1 = nn.BatchNorm2d(32)

        self.mbconv1 = mbconv_block(32, 16, stride=1, expand_ratio=1)
        self.mbconv2 = mbconv_block(16, 24, stride=2, expand_ratio=6)
        self.mbconv3 = mbconv_block(24, 40, stride=2, expand_ratio=6)
        self.mbconv4 = mbconv_block(40, 80, stride=2, expand_ratio=6)
        self.mbconv5 = mbconv_block(80, 112, stride=1, expand_ratio=6)
        self.mbconv6 = mbconv_block(112, 192, stride=2, expand_ratio=6)
        self.mbconv7 = mbconv_block(192, 320, stride=1, expand_ratio=6)

        self.conv2 = nn.Conv2d(320, 1280, kernel_size=1, bias=False)
        self.bn2 = nn.BatchNorm2d(1280)
        self.fc = nn.Linear(1280, num_classes)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = F.relu(self.bn1(self.conv1(x)))
        x = self.mbconv3(self.mbconv2(self.mbconv1(x)))
        x = self.mbconv5(self.mbconv4(x))
        x = self.mbconv7(self.mbconv6(x))
        x = F.relu(self.bn2(self.conv2(x)))
        x = torch.flatten(F.adaptive_avg_pool2d(x, (1, 1)), 1)
        return self.fc(x)


batch_size = 10
input_shape = (3, 240, 240)
num_classes = 1000


def get_inputs() -> list[torch.Tensor]:
    return [torch.rand(batch_size, *input_shape)]


def get_init_inputs() -> list:
    return [num_classes]
