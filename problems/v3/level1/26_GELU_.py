import torch
import torch.nn as nn
import torch.nn.functional as F


class Model(nn.Module):
    """Gaussian error linear unit, exact form: y = x * Phi(x), element by element.

    Phi is the distribution function of the standard normal (computed with erf,
    not with the tanh approximation). x and y have shape (batch_size, dim).
    """

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return F.gelu(x)


OP_TYPE = "elementwise"
SUPPORTED_PRECISIONS = ["fp16", "bf16", "fp32"]
HARDWARE_REQUIRED = ["RTX3090", "H100", "B200"]
batch_size = 256
dim = 16384


def get_inputs() -> list[torch.Tensor]:
    return [torch.randn(batch_size, dim)]


def get_init_inputs() -> list:
    return []
