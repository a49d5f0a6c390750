import torch
import torch.nn as nn


class Model(nn.Module):
    """Adds a scaled matrix product to a residual: alpha * (a @ b) + c."""

    def __init__(self, alpha: float) -> None:
        super().__init__()
        self.alpha = alpha

    def forward(
        self, a: torch.Tensor, b: torch.Tensor, c: torch.Tensor
    ) -> torch.Tensor:
        return self.alpha * (a @ b) + c


m = 512
n = 768
k = 1024


def get_inputs():
    return [torch.rand(m, k), torch.rand(k, n), torch.rand(m, n)]


def get_init_inputs():
    return [0.5]
