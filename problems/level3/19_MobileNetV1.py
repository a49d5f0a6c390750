import torch
import torch.nn as nn


def conv_bn(in_channels: int, out_channels: int, stride: int) -> nn.Sequential:
    """3x3 convolution, batch normalisation, ReLU."""
    return nn.Sequential(
        nn.Conv2d(in_channels, out_channels, 3, stride, padding=1, bias=False),
        nn.BatchNorm2d(out_channels),
        nn.ReLU(inplace=True),
    )


def conv_dw(in_channels: int, out_channels: int, stride: int) -> nn.Sequential:
    """Depthwise 3x3 and pointwise convolution, each with batch normalisation and ReLU."""
    return nn.Sequential(
        nn.Conv2d(in_channels, in_channels, 3, stride, 1, groups=in_channels, bias=False),
        nn.BatchNorm2d(in_channels),
        nn.ReLU(inplace=True),
        nn.Conv2d(in_channels, out_channels, 1, bias=False),
        nn.BatchNorm2d(out_channels),
        nn.ReLU(inplace=True),
    )


class Model(nn.Module):
    """MobileNetV1: a convolution, 13 depthwise separable ones, 7x7 mean, linear layer.

    alpha scales the number of channels of every layer. The batch normalisations
    use the statistics of the batch (training mode). x has shape
    (batch_size, input_channels, height, width), the result (batch_size, num_classes).
    The fixed 7x7 mean requires a height and a width of 193 to 416.
    """

    def __init__(
        self, num_classes: int = 1000, input_channels: int = 3, alpha: float = 1.0
    ) -> None:
        super().__init__()
        layout = [
            (64, 1),
            (128, 2),
            (128, 1),
            (256, 2),
            (256, 1),
            (512, 2),
            *[(512, 1)] * 5,
            (1024, 2),
            (1024, 1),
        ]
        channels = int(32 * alpha)
        layers: list[nn.Module] = [conv_bn(input_channels, channels, 2)]
        for width, stride in layout:
            out_channels = int(width * alpha)
            layers.append(conv_dw(channels, out_channels, stride))
            channels = out_channels
        layers.append(nn.AvgPool2d(7))
        self.model = nn.Sequential(*layers)
        self.fc = nn.Linear(channels, num_classes)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.fc(torch.flatten(self.model(x), 1))


batch_size = 10
input_channels = 3
height = 224
width = 224
num_classes = 1000
alpha = 1.0


def get_inputs() -> list[torch.Tensor]:
    return [torch.rand(batch_size, input_channels, height, width)]


def get_init_inputs() -> list:
    return [num_classes, input_channels, alpha]
