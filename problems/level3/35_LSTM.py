import torch
import torch.nn as nn


class Model(nn.Module):
    """Stacked LSTM and a linear layer on the output of the last time step.

    Initial states that are not given are drawn from a normal distribution (always
    in float32) at every call, so the result is random; it depends on them only
    faintly after a long sequence. x has shape (batch_size, sequence_length,
    input_size), h0 and c0 (num_layers, batch_size, hidden_size), the result
    (batch_size, output_size).
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
        self.hidden_size = hidden_size
        self.num_layers = num_layers
        self.lstm = nn.LSTM(
            input_size, hidden_size, num_layers, batch_first=True, dropout=dropout
        )
        self.fc = nn.Linear(hidden_size, output_size)

    def forward(
        self,
        x: torch.Tensor,
        h0: torch.Tensor | None = None,
        c0: torch.Tensor | None = None,
    ) -> torch.Tensor:
        shape = (self.num_layers, x.shape[0], self.hidden_size)
        if h0 is None:
            h0 = torch.randn(shape, device=x.device)
        if c0 is None:
            c0 = torch.randn(shape, device=x.device)
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
    return [torch.rand(batch_size, sequence_length, input_size)]


def get_init_inputs() -> list:
    return [input_size, hidden_size, num_layers, output_size, dropout]
