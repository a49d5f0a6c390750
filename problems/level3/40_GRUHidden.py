import torch
import torch.nn as nn


class Model(nn.Module):
    """Stacked GRU that returns the final hidden states of all layers.

    x has shape (seq_len, batch_size, input_size), or with batch_first
    (batch_size, seq_len, input_size); h0 and the result have shape
    (num_layers, batch_size, hidden_size).
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
        _, h_n = self.gru(x, h0)
        return h_n


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
