import torch
import torch.nn as nn


def inverted_residual(
    in_channels: int, out_channels: int, stride: int, expand_ratio: int
) -> nn.Sequential:
    """Pointwise expansion, depthwise 3x3 convolution and linear projection, no shortcut."""
    hidden = in_channels * expand_ratio
    layers: list[nn.Module] = []
    if expand_ratio != 1:
        layers += [
            nn.Conv2d(in_channels, hidden, 1, bias=False),
            nn.BatchNorm2d(hidden),
            nn.ReLU6(inplace=True),
        ]
    layers += [
        nn.Conv2d(hidden, hidden, 3, stride, padding=1, groups=hidden, bias=False),
        nn.BatchNorm2d(hidden),
        nn.ReLU6(inplace=True),
        nn.Conv2d(hidden, out_channels, 1, bias=False),
        nn.BatchNorm2d(out_channels),
    ]
    return nn.Sequential(*layers)


class Model(nn.Module):
    """MobileNetV2 without its residual connections.

    Stem, 17 inverted-residual blocks (whose shortcuts are missing), pointwise
    convolution to 1280 channels, global mean, linear layer; dropout has rate 0. The
    batch normalisations use the statistics of the batch (training mode). x has
    shape (batch_size, 3, height, width), the result (batch_size, num_classes).
    """

    def __init__(self, num_classes: int = 1000) -> None:
        super().__init__()
        # Expansion, channels, blocks, stride of the first block.
        settings = [
            (1, 16, 1, 1),
            (6, 24, 2, 2),
            (6, 32, 3, 2),
            (6, 64, 4, 2),
            (6, 96, 3, 1),
            (6, 160, 3, 2),
            (6, 320, 1, 1),
        ]
        channels = 32
        last_channels = 1280

        features: list[nn.Module] = [
            nn.Conv2d(3, channels, 3, stride=2, padding=1, bias=False),
            nn.BatchNorm2d(channels),
            nn.ReLU6(inplace=True),
        ]
        for expand_ratio, out_channels, blocks, first_stride in settings:
            for i in range(blocks):
                stride = first_stride if i == 0 else 1
                features.append(inverted_residual(channels, out_channels, stride, expand_ratio))
                channels = out_channels
        features += [
            nn.Conv2d(channels, last_channels, 1, bias=False),
            nn.BatchNorm2d(last_channels),
            nn.ReLU6(inplace=True),
            nn.AdaptiveAvgPool2d((1, 1)),
        ]
        self.features = nn.Sequential(*features)
        self.classifier = nn.Sequential(nn.Dropout(0.0), nn.Linear(last_channels, num_classes))

        for module in self.modules():
            if isinstance(module, nn.Conv2d):
                nn.init.kaiming_normal_(module.weight, mode="fan_out")
            elif isinstance(module, nn.Linear):
                nn.init.normal_(module.weight, 0, 0.01)
                nn.init.zeros_(module.bias)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.classifier(torch.flatten(self.features(x), 1))


batch_size = 10
num_classes = 1000
height = 224
width = 224


def get_inputs() -> list[torch.Tensor]:
    return [torch.rand(batch_size, 3, height, width)]


def get_init_inputs() -> list:
    return [num_classes]
