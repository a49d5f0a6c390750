import torch
import torch.nn as nn
import torch.nn.functional as F


class Model(nn.Module):
    """Linear layer, a learned vector subtracted, mean over the features, GELU, plus the input.

    The mean leaves one number per row; the logsumexp over that single column
    returns it unchanged. The number goes through GELU and is added to every
    element of its row of the input: x and the result have shape
    (batch_size, in_features).
    """

    def __init__(self, in_features: int, out_features: int, bias: bool = True) -> None:
        super().__init__()
        self.gemm = nn.Linear(in_features, out_features, bias=bias)
        self.subtract = nn.Parameter(torch.randn(out_features))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        residual = x.clone().detach()
        x = self.gemm(x) - self.subtract
        x = x.mean(dim=1, keepdim=True)
        x = torch.logsumexp(x, dim=1, keepdim=True)
        return F.gelu(x) + residual


batch_size = 2048
in_features = 8192
out_features = 8192


def get_inputs() -> list[torch.Tensor]:
    return [torch.rand(batch_size, in_features)]


def get_init_inputs() -> list:
    return [in_features, out_features]
