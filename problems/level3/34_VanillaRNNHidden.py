import torch
import torch.nn as nn


class Model(nn.Module):
    """Plain recurrent network, run step by step, with a linear layer on every state.

    h[t] = tanh(i2h([x[t], h[t - 1]])) and y[t] = h2o(h[t]). x has shape
    (sequence_length, batch_size, input_size), h0 (batch_size, hidden_size), the
    result (sequence_length, batch_size, output_size).
    """

    def __init__(self, input_size: int, hidden_size: int, output_size: int) -> None:
        super().__init__()
        self.input_size = input_size
        self.hidden_size = hidden_size
        self.output_size = output_size
        self.i2h = nn.Linear(input_size + hidden_size, hidden_size)
        self.h2o = nn.Linear(hidden_size, output_size)
        self.tanh = nn.Tanh()

    def forward(self, x: torch.Tensor, h0: torch.Tensor) -> torch.Tensor:
        hidden = h0.to(x.device)
        outputs = []
        for step in x:
            hidden = self.tanh(self.i2h(torch.cat([step, hidden], dim=1)))
            outputs.append(self.h2o(hidden))
        return torch.stack(outputs)


batch_size = 8
input_size = 1024
hidden_size = 256
output_size = 128
sequence_length = 256


def get_inputs() -> list[torch.Tensor]:
    return [
        torch.rand(sequence_length, batch_size, input_size),
        torch.rand(batch_size, hidden_size),
    ]


def get_init_inputs() -> list:
    return [input_size, hidden_size, output_size]
