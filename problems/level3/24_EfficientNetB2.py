import torch
import torch.nn as nn


def mbconv_block(
    in_channels: int, out_channels: int, stride: int, expand_ratio: int
) -> nn.Sequential:
    """MBConv whose squeeze-and-excitation gate replaces the features it should scale.

    The global mean sits in the main path, so the result is one pixel in size.
    """
    hidden = in_channels * expand_ratio
    layers: list[nn.Module] = []
    if expand_ratio != 1:
        layers += [
            nn.Conv2d(in_channels, hidden, kernel_size=1, bias=False),
            nn.BatchNorm2d(hidden),
            nn.ReLU(inplace=True),
        ]
    layers += [
        nn.Conv2d(hidden, hidden, 3, stride, padding=1, groups=hidden, bias=False),
        nn.BatchNorm2d(hidden),
        nn.ReLU(inplace=True),
        nn.AdaptiveAvgPool2d((1, 1)),
        nn.Conv2d(hidden, hidden // 4, kernel_size=1, bias=False),
        nn.ReLU(inplace=True),
        nn.Conv2d(hidden // 4, hidden, kernel_size=1, bias=False),
        nn.Sigmoid(),
        nn.Conv2d(hidden, out_channels, kernel_size=1, bias=False),
        nn.BatchNorm2d(out_channels),
    ]
    return nn.Sequential(*layers)


class Model(nn.Module):
    """Five MBConv-like blocks between stem and head; not the published EfficientNet-B2.

    Each block ends in a global mean (see mbconv_block), so from the second block
    on every map is a single pixel and the batch normalisations, which use the
    statistics of the batch (training mode), see batch_size values per channel. x has
    shape (batch_size, 3, height, width), the result (batch_size, num_classes).
    """

    def __init__(self, num_classes: int = 1000) -> None:
        super().__init__()
        self.conv1 = nn.Conv2d(3, 32, kernel_size=3, stride=2, padding=1, bias=False)
        self.bn1 = nn.BatchNorm2d(32)
        self.relu = nn.ReLU(inplace=True)

        self.mbconv1 = mbconv_block(32, 96, stride=1, expand_ratio=3)
        self.mbconv2 = mbconv_block(96, 144, stride=2, expand_ratio=6)
        self.mbconv3 = mbconv_block(144, 192, stride=2, expand_ratio=6)
        self.mbconv4 = mbconv_block(192, 288, stride=2, expand_ratio=6)
        self.mbconv5 = mbconv_block(288, 384, stride=1, expand_ratio=6)

        self.conv_final = nn.Conv2d(384, 1408, kernel_size=1, bias=False)
        self.bn_final = nn.BatchNorm2d(1408)
        self.avgpool = nn.AdaptiveAvgPool2d((1, 1))
        self.fc = nn.Linear(1408, num_classes)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = self.relu(self.bn1(self.conv1(x)))
        for block in (self.mbconv1, self.mbconv2, self.mbconv3, self.mbconv4, self.mbconv5):
            x = block(x)
        x = self.relu(self.bn_final(self.conv_final(x)))
        return self.fc(torch.flatten(self.avgpool(x), 1))


batch_size = 2
num_classes = 1000
height = 224
width = 224


def get_inputs() -> list[torch.Tensor]:
    return [torch.rand(batch_size, 3, height, width)]


def get_init_inputs() -> list:
    return [num_classes]
