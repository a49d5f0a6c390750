import torch
import torch.nn as nn


class Model(nn.Module):
    """One step of a plain recurrent cell that keeps its hidden state between calls.

    hidden = tanh(i2h([x, hidden])) and the result is h2o(hidden). If initial_hidden
    is given it is copied into the hidden state first, so that the result does not
    depend on earlier calls. The hidden state is an ordinary tensor attribute, neither
    parameter nor buffer: a cast of the module leaves it in float32, and its initial
    batch size is the module constant batch_size. x has shape
    (batch_size, input_size), initial_hidden (batch_size, hidden_size), the result
    (batch_size, output_size).
    """

    def __init__(self, input_size: int, hidden_size: int, output_size: int) -> None:
        super().__init__()
        self.input_size = input_size
        self.hidden_size = hidden_size
        self.output_size = output_size
        self.hidden = torch.randn(batch_size, hidden_size)
        self.i2h = nn.Linear(input_size + hidden_size, hidden_size)
        self.h2o = nn.Linear(hidden_size, output_size)
        self.tanh = nn.Tanh()

    def forward(
        self, x: torch.Tensor, initial_hidden: torch.Tensor | None = None
    ) -> torch.Tensor:
        if initial_hidden is not None:
            self.hidden.copy_(initial_hidden)
        self.hidden = self.hidden.to(x.device)
        self.hidden = self.tanh(self.i2h(torch.cat([x, self.hidden], dim=1)))
        return self.h2o(self.hidden)


batch_size = 256
input_size = 16384
hidden_size = 16384
output_size = 8192
sequence_length = 256


def get_inputs() -> list[torch.Tensor]:
    return [torch.rand(batch_size, input_size), torch.rand(batch_size, hidden_size)]


def get_init_inputs() -> list:
    return [input_size, hidden_size, output_size]
