import torch
import torch.nn as nn


class Model(nn.Module):
    """Transition layer of DenseNet: batch normalisation, ReLU, 1x1 convolution, 2x2 mean.

    The batch normalisation uses the statistics of the batch (training mode). x has
    shape (batch_size, num_input_features, height, width), the result
    (batch_size, num_output_features, height // 2, width // 2).
    """

    def __init__(self, num_input_features: int, num_output_features: int) -> None:
        super().__init__()
        self.transition = nn.Sequential(
            nn.BatchNorm2d(num_input_features),
            nn.ReLU(inplace=True),
            nn.Conv2d(num_input_features, num_output_features, kernel_size=1, bias=False),
            nn.AvgPool2d(kernel_size=2, stride=2),
        )

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.transition(x)


batch_size = 128
num_input_features = 32
num_output_features = 64
height = 256
width = 256


def get_inputs() -> list[torch.Tensor]:
    return [torch.rand(batch_size, num_input_features, height, width)]


def get_init_inputs() -> list:
    return [num_input_features, num_output_features]
