import torch
import torch.nn as nn


class Model(nn.Module):
    """Stacked GRU that returns the outputs of the last layer for all time steps.

    x has shape (seq_len, batch_size, input_size), h0 (num_layers, batch_size,
    hidden_size), the result (seq_len, batch_size, hidden_size). With batch_first the
    first two axes of x and of the result change places.
    """

    def __init__(
        self,
        input_size: int,
        hidden_size: int,
        num_layers: int = 3,
        bias: bool = True,
        batch_first: bool = False,
    ) -> None:
        super().__init__()
        self.gru = nn.GRU(input_size, hidden_size, num_layers, bias, batch_first)

    def forward(self, x: torch.Tensor, h0: torch.Tensor) -> torch.Tensor:
        output, _ = self.gru(x, h0)
        return output


batch_size = 10
seq_len = 512
input_size = 128
hidden_size = 256
num_layers = 6


def get_inputs() -> list[torch.Tensor]:
    return [
        torch.rand(seq_len, batch_size, input_size),
        torch.rand(num_layers, batch_size, hidden_size),
    ]


def get_init_inputs() -> list:
    return [input_size, hidden_size, num_layers]
