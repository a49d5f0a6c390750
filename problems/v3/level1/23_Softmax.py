import torch
import torch.nn as nn


class Model(nn.Module):
    """Softmax of every row: y[b, i] = exp(x[b, i]) / sum_j exp(x[b, j]).

    x and y have shape (batch_size, dim); each row of y sums to one.
    """

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.softmax(x, dim=1)


OP_TYPE = "softmax"
SUPPORTED_PRECISIONS = ["fp16", "bf16", "fp32"]
HARDWARE_REQUIRED = ["RTX3090", "H100", "B200"]
batch_size = 256
dim = 16384


def get_inputs() -> list[torch.Tensor]:
    return [torch.randn(batch_size, dim)]


def get_init_inputs() -> list:
    return []
