import torch
import torch.nn as nn


class Model(nn.Module):
    """Dense block of DenseNet: every layer sees the outputs of all layers before it.

    A layer is batch normalisation, ReLU and a 3x3 convolution to growth_rate
    channels (no bottleneck; dropout has rate 0). The batch normalisations use the
    statistics of the batch (training mode). x has shape
    (batch_size, num_input_features, height, width), the result
    (batch_size, num_input_features + num_layers * growth_rate, height, width).
    """

    def __init__(self, num_layers: int, num_input_features: int, growth_rate: int) -> None:
        super().__init__()
        self.layers = nn.ModuleList(
            nn.Sequential(
                nn.BatchNorm2d(num_input_features + i * growth_rate),
                nn.ReLU(inplace=True),
                nn.Conv2d(
                    num_input_features + i * growth_rate,
                    growth_rate,
                    kernel_size=3,
                    padding=1,
                    bias=False,
                ),
                nn.Dropout(0.0),
            )
            for i in range(num_layers)
        )

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        features = [x]
        for layer in self.layers:
            features.append(layer(x))
            x = torch.cat(features, dim=1)
        return x


batch_size = 10
num_layers = 6
num_input_features = 32
growth_rate = 32
height = 224
width = 224


def get_inputs() -> list[torch.Tensor]:
    return [torch.rand(batch_size, num_input_features, height, width)]


def get_init_inputs() -> list:
    return [num_layers, num_input_features, growth_rate]
