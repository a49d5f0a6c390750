import torch
import torch.nn as nn


class Model(nn.Module):
    """Stacked bidirectional LSTM and a linear layer on the output of the last time step.

    At the last step the backward direction has seen one element only. x has shape
    (batch_size, sequence_length, input_size), h0 and c0
    (2 * num_layers, batch_size, hidden_size), the result (batch_size, output_size).
    """

    def __init__(
        self,
        input_size: int,
        hidden_size: int,
        num_layers: int,
        output_size: int,
        dropout: float = 0.0,
    ) -> None:
        super().__init__()
        self.lstm = nn.LSTM(
            input_size,
            hidden_size,
            num_layers,
            batch_first=True,
            dropout=dropout,
            bidirectional=True,
        )
        self.fc = nn.Linear(2 * hidden_size, output_size)

    def forward(self, x: torch.Tensor, h0: torch.Tensor, c0: torch.Tensor) -> torch.Tensor:
        out, _ = self.lstm(x, (h0, c0))
        return self.fc(out[:, -1])


batch_size = 10
sequence_length = 512
input_size = 128
hidden_size = 256
num_layers = 6
output_size = 10
dropout = 0.0


def get_inputs() -> list[torch.Tensor]:
    return [
        torch.rand(batch_size, sequence_length, input_size),
        torch.rand(2 * num_layers, batch_size, hidden_size),
        torch.rand(2 * num_layers, batch_size, hidden_size),
    ]


def get_init_inputs() -> list:
    return [input_size, hidden_size, num_layers, output_size, dropout]
