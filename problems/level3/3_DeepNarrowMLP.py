import torch
import torch.nn as nn


class Model(nn.Module):
    """Multilayer perceptron with many, narrow hidden layers and ReLU.

    The last layer has no activation. x has shape (batch_size, input_size), the
    result (batch_size, output_size). With the default initialisation every layer
    shrinks the differences between inputs, so that 17 layers on the result hardly
    depends on x.
    """

    def __init__(
        self, input_size: int, hidden_layer_sizes: list[int], output_size: int
    ) -> None:
        super().__init__()
        widths = [input_size, *hidden_layer_sizes]
        layers: list[nn.Module] = []
        for fan_in, fan_out in zip(widths, widths[1:]):
            layers += [nn.Linear(fan_in, fan_out), nn.ReLU()]
        layers.append(nn.Linear(widths[-1], output_size))
        self.network = nn.Sequential(*layers)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.network(x)


batch_size = 1024
input_size = 8192
hidden_layer_sizes = [1024] * 16
output_size = 8192


def get_inputs() -> list[torch.Tensor]:
    return [torch.rand(batch_size, input_size)]


def get_init_inputs() -> list:
    return [input_size, hidden_layer_sizes, output_size]
