import torch
import torch.nn as nn


class Model(nn.Module):
    """MBConv block of EfficientNet without squeeze-and-excitation.

    Pointwise expansion, depthwise convolution, linear pointwise projection, each
    with batch normalisation, the first two with ReLU6. The input is added if the
    block keeps its shape, which it does not at the sizes below (stride 2). The batch
    normalisations use the statistics of the batch (training mode). x has shape
    (batch_size, in_channels, height, width), the result
    (batch_size, out_channels, ceil(height / stride), ceil(width / stride)).
    """

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: int,
        stride: int,
        expand_ratio: int,
    ) -> None:
        super().__init__()
        self.use_residual = stride == 1 and in_channels == out_channels
        hidden = in_channels * expand_ratio
        if expand_ratio != 1:
            self.expand_conv = nn.Sequential(
                nn.Conv2d(in_channels, hidden, kernel_size=1, bias=False),
                nn.BatchNorm2d(hidden),
                nn.ReLU6(inplace=True),
            )
        self.depthwise_conv = nn.Sequential(
            nn.Conv2d(
                hidden,
                hidden,
                kernel_size,
                stride=stride,
                padding=(kernel_size - 1) // 2,
                groups=hidden,
                bias=False,
            ),
            nn.BatchNorm2d(hidden),
            nn.ReLU6(inplace=True),
        )
        self.project_conv = nn.Sequential(
            nn.Conv2d(hidden, out_channels, kernel_size=1, bias=False),
            nn.BatchNorm2d(out_channels),
        )

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        y = self.expand_conv(x) if hasattr(self, "expand_conv") else x
        y = self.project_conv(self.depthwise_conv(y))
        if self.use_residual:
            y += x
        return y


batch_size = 10
in_channels = 112
out_channels = 192
kernel_size = 5
stride = 2
expand_ratio = 6
height = 224
width = 224


def get_inputs() -> list[torch.Tensor]:
    return [torch.rand(batch_size, in_channels, height, width)]


def get_init_inputs() -> list:
    return [in_channels, out_channels, kernel_size, stride, expand_ratio]
