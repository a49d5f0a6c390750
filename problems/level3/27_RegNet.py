import torch
import torch.nn as nn


class Model(nn.Module):
    """Plain convolutional network in stages; despite its name not a RegNet.

    A stage is twice 3x3 convolution, batch normalisation and ReLU, then 2x2 max
    pooling; a global mean and a linear layer follow the last stage. block_widths[i]
    is the number of channels of stage i. The batch normalisations use the statistics
    of the batch (training mode). x has shape (batch_size, input_channels, height,
    width), the result (batch_size, output_classes).
    """

    def __init__(
        self, input_channels: int, stages: int, block_widths: list[int], output_classes: int
    ) -> None:
        super().__init__()
        self.stages = stages
        self.block_widths = block_widths
        widths = [input_channels, *block_widths[:stages]]
        self.feature_extractor = nn.Sequential(
            *(self._make_stage(before, after) for before, after in zip(widths, widths[1:]))
        )
        self.fc = nn.Linear(block_widths[-1], output_classes)

    @staticmethod
    def _make_stage(in_channels: int, out_channels: int) -> nn.Sequential:
        return nn.Sequential(
            nn.Conv2d(in_channels, out_channels, kernel_size=3, padding=1),
            nn.BatchNorm2d(out_channels),
            nn.ReLU(),
            nn.Conv2d(out_channels, out_channels, kernel_size=3, padding=1),
            nn.BatchNorm2d(out_channels),
            nn.ReLU(),
            nn.MaxPool2d(kernel_size=2, stride=2),
        )

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = self.feature_extractor(x)
        return self.fc(torch.mean(x, dim=(2, 3)))


batch_size = 8
input_channels = 3
image_height = 224
image_width = 224
stages = 3
block_widths = [64, 128, 256]
output_classes = 10


def get_inputs() -> list[torch.Tensor]:
    return [torch.rand(batch_size, input_channels, image_height, image_width)]


def get_init_inputs() -> list:
    return [input_channels, stages, block_widths, output_classes]
