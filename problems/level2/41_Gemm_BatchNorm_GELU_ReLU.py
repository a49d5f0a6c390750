import torch
import torch.nn as nn
import torch.nn.functional as F


class Model(nn.Module):
    """Linear layer, batch norm, GELU, ReLU.

    The batch norm is in training mode: it uses the statistics of the batch and
    updates its running averages. x has shape (batch_size, in_features), the result
    (batch_size, out_features).
    """

    def __init__(self, in_features: int, out_features: int) -> None:
        super().__init__()
        self.gemm = nn.Linear(in_features, out_features)
        self.batch_norm = nn.BatchNorm1d(out_features)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = self.gemm(x)
        x = self.batch_norm(x)
        x = F.gelu(x)
        return torch.relu(x)


batch_size = 16384
in_features = 4096
out_features = 4096


def get_inputs() -> list[torch.Tensor]:
    return [torch.rand(batch_size, in_features)]


def get_init_inputs() -> list:
    return [in_features, out_features]
