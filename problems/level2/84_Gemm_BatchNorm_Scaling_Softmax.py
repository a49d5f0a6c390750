import torch
import torch.nn as nn


class Model(nn.Module):
    """Linear layer, batch normalisation, a learned scale (one at the start), softmax of each row.

    The normalisation runs in training mode: it uses the mean and (biased)
    variance of each feature over the current batch and updates its running
    statistics. x has shape (batch_size, in_features), the result
    (batch_size, out_features).
    """

    def __init__(
        self,
        in_features: int,
        out_features: int,
        bn_eps: float = 1e-5,
        bn_momentum: float = 0.1,
        scale_shape: tuple[int, ...] = (1,),
    ) -> None:
        super().__init__()
        self.gemm = nn.Linear(in_features, out_features)
        self.bn = nn.BatchNorm1d(out_features, eps=bn_eps, momentum=bn_momentum)
        self.scale = nn.Parameter(torch.ones(scale_shape))
        self.softmax = nn.Softmax(dim=1)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = self.gemm(x)
        x = self.bn(x)
        return self.softmax(self.scale * x)


batch_size = 1024
in_features = 8192
out_features = 8192
bn_eps = 1e-5
bn_momentum = 0.1
scale_shape = (1,)


def get_inputs() -> list[torch.Tensor]:
    return [torch.rand(batch_size, in_features)]


def get_init_inputs() -> list:
    return [in_features, out_features, bn_eps, bn_momentum, scale_shape]
