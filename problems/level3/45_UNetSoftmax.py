import torch
import torch.nn as nn


class DoubleConv(nn.Module):
    """Twice 3x3 convolution, batch normalisation and softmax along each image row."""

    def __init__(self, in_channels: int, out_channels: int) -> None:
        super().__init__()
        self.double_conv = nn.Sequential(
            nn.Conv2d(in_channels, out_channels, kernel_size=3, padding=1),
            nn.BatchNorm2d(out_channels),
            nn.Softmax(dim=-1),
            nn.Conv2d(out_channels, out_channels, kernel_size=3, padding=1),
            nn.BatchNorm2d(out_channels),
            nn.Softmax(dim=-1),
        )

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.double_conv(x)


class Model(nn.Module):
    """U-Net with softmax over the width in place of every activation.

    Four levels of max pooling on the way down, transposed convolutions and
    concatenated skip connections on the way up, a 1x1 convolution at the end. The
    batch normalisations use the statistics of the batch (training mode). x has
    shape (batch_size, in_channels, height, width), the result
    (batch_size, out_channels, height, width); height and width are multiples of 16.
    """

    def __init__(self, in_channels: int, out_channels: int, features: int) -> None:
        super().__init__()
        self.encoder1 = DoubleConv(in_channels, features)
        self.pool1 = nn.MaxPool2d(kernel_size=2, stride=2)
        self.encoder2 = DoubleConv(features, features * 2)
        self.pool2 = nn.MaxPool2d(kernel_size=2, stride=2)
        self.encoder3 = DoubleConv(features * 2, features * 4)
        self.pool3 = nn.MaxPool2d(kernel_size=2, stride=2)
        self.encoder4 = DoubleConv(features * 4, features * 8)
        self.pool4 = nn.MaxPool2d(kernel_size=2, stride=2)

        self.bottleneck = DoubleConv(features * 8, features * 16)

        self.upconv4 = nn.ConvTranspose2d(features * 16, features * 8, kernel_size=2, stride=2)
        self.decoder4 = DoubleConv(features * 16, features * 8)
        self.upconv3 = nn.ConvTranspose2d(features * 8, features * 4, kernel_size=2, stride=2)
        self.decoder3 = DoubleConv(features * 8, features * 4)
        self.upconv2 = nn.ConvTranspose2d(features * 4, features * 2, kernel_size=2, stride=2)
        self.decoder2 = DoubleConv(features * 4, features * 2)
        self.upconv1 = nn.ConvTranspose2d(features * 2, features, kernel_size=2, stride=2)
        self.decoder1 = DoubleConv(features * 2, features)

        self.final_conv = nn.Conv2d(features, out_channels, kernel_size=1)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        skip1 = self.encoder1(x)
        skip2 = self.encoder2(self.pool1(skip1))
        skip3 = self.encoder3(self.pool2(skip2))
        skip4 = self.encoder4(self.pool3(skip3))
        y = self.bottleneck(self.pool4(skip4))

        y = self.decoder4(torch.cat([self.upconv4(y), skip4], dim=1))
        y = self.decoder3(torch.cat([self.upconv3(y), skip3], dim=1))
        y = self.decoder2(torch.cat([self.upconv2(y), skip2], dim=1))
        y = self.decoder1(torch.cat([self.upconv1(y), skip1], dim=1))
        return self.final_conv(y)


batch_size = 8
in_channels = 8
out_channels = 4
height = 64
width = 512
features = 64


def get_inputs() -> list[torch.Tensor]:
    return [torch.rand(batch_size, in_channels, height, width)]


def get_init_inputs() -> list:
    return [in_channels, out_channels, features]
