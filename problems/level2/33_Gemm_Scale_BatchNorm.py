import torch
import torch.nn as nn


class Model(nn.Module):
    """Linear layer, learned scale per feature, batch norm.

    The batch norm is in training mode: it uses the statistics of the batch and
    updates its running averages. x has shape (batch_size, in_features), the result
    (batch_size, out_features).
    """

    def __init__(
        self,
        in_features: int,
        out_features: int,
        scale_shape: tuple[int, ...],
        eps: float = 1e-5,
        momentum: float = 0.1,
    ) -> None:
        super().__init__()
        self.gemm = nn.Linear(in_features, out_features)
        self.scale = nn.Parameter(torch.randn(scale_shape))
        self.bn = nn.BatchNorm1d(out_features, eps=eps, momentum=momentum)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = self.gemm(x)
        x = x * self.scale
        return self.bn(x)


batch_size = 1024
in_features = 8192
out_features = 8192
scale_shape = (out_features,)


def get_inputs() -> list[torch.Tensor]:
    return [torch.rand(batch_size, in_features)]


def get_init_inputs() -> list:
    return [in_features, out_features, scale_shape]
