import torch
import torch.nn as nn
import torch.nn.functional as F


class Model(nn.Module):
    """Linear layer, division by a constant, GELU (exact, with erf).

    x has shape (batch_size, input_size), the result (batch_size, output_size).
    """

    def __init__(self, input_size: int, output_size: int, divisor: float) -> None:
        super().__init__()
        self.linear = nn.Linear(input_size, output_size)
        self.divisor = divisor

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = self.linear(x)
        x = x / self.divisor
        return F.gelu(x)


OP_TYPE = "fused"
SUPPORTED_PRECISIONS = ["fp16", "bf16", "fp32"]
HARDWARE_REQUIRED = ["RTX3090", "H100", "B200"]
batch_size = 128
input_size = 4096
output_size = 4096
divisor = 10.0


def get_inputs() -> list[torch.Tensor]:
    return [torch.randn(batch_size, input_size)]


def get_init_inputs() -> list:
    return [input_size, output_size, divisor]
