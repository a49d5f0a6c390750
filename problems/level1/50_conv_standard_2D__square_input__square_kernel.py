import torch
import torch.nn as nn


class Model(nn.Module):
    """First convolution of AlexNet: 3 to 96 channels, kernel 11 x 11, stride 4, padding 2.

    The convolution has a bias. x has shape (batch_size, 3, 224, 224), the result
    (batch_size, 96, 55, 55). num_classes is not used.
    """

    def __init__(self, num_classes: int = 1000) -> None:
        super().__init__()
        self.conv1 = nn.Conv2d(
            in_channels=3, out_channels=96, kernel_size=11, stride=4, padding=2
        )

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.conv1(x)


batch_size = 256
num_classes = 1000


def get_inputs() -> list[torch.Tensor]:
    return [torch.rand(batch_size, 3, 224, 224)]


def get_init_inputs() -> list:
    return [num_classes]
