import torch
import torch.nn as nn
import torch.nn.functional as F


class Model(nn.Module):
    """Exponential linear unit: y = x where x > 0 and alpha * (exp(x) - 1) elsewhere.

    x and y have shape (batch_size, dim); any other shape works too.
    """

    def __init__(self, alpha: float = 1.0) -> None:
        super().__init__()
        self.alpha = alpha

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return F.elu(x, alpha=self.alpha)


batch_size = 4096
dim = 393216


def get_inputs() -> list[torch.Tensor]:
    return [torch.rand(batch_size, dim)]


def get_init_inputs() -> list:
    return [1.0]
