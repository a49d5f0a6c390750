import torch
import torch.nn as nn


class Model(nn.Module):
    """Multilayer perceptron: linear layers with a ReLU between each two of them.

    layer_sizes lists the widths of the hidden layers. x has shape
    (batch_size, input_size), the result (batch_size, output_size).
    """

    def __init__(self, input_size: int, layer_sizes: list[int], output_size: int) -> None:
        super().__init__()
        widths = [input_size, *layer_sizes]
        layers: list[nn.Module] = []
        for fan_in, fan_out in zip(widths, widths[1:]):
            layers += [nn.Linear(fan_in, fan_out), nn.ReLU()]
        layers.append(nn.Linear(widths[-1], output_size))
        self.network = nn.Sequential(*layers)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.network(x)


batch_size = 128
input_size = 16384
layer_sizes = [16384, 16384]
output_size = 8192


def get_inputs() -> list[torch.Tensor]:
    return [torch.rand(batch_size, input_size)]


def get_init_inputs() -> list:
    return [input_size, layer_sizes, output_size]
