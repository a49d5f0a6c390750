import torch
import torch.nn as nn


class Model(nn.Module):
    """Linear layer, batch normalisation, a learned bias, division, Swish (y * sigmoid(y)).

    The normalisation runs in training mode: it uses the mean and (biased)
    variance of each feature over the current batch and updates its running
    statistics. The bias is a single number for all features. x has shape
    (batch_size, in_features), the result (batch_size, out_features).
    """

    def __init__(
        self,
        in_features: int,
        out_features: int,
        bn_eps: float = 1e-5,
        bn_momentum: float = 0.1,
        bias_shape: tuple[int, ...] = (1,),
        divide_value: float = 1.0,
    ) -> None:
        super().__init__()
        self.matmul = nn.Linear(in_features, out_features)
        self.bn = nn.BatchNorm1d(out_features, eps=bn_eps, momentum=bn_momentum)
        self.bias = nn.Parameter(torch.randn(bias_shape))
        self.divide_value = divide_value

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = self.matmul(x)
        x = self.bn(x) + self.bias
        x = x / self.divide_value
        return x * torch.sigmoid(x)


batch_size = 1024
in_features = 8192
out_features = 8192
bn_eps = 1e-5
bn_momentum = 0.1
bias_shape = (1,)
divide_value = 1.0


def get_inputs() -> list[torch.Tensor]:
    return [torch.rand(batch_size, in_features)]


def get_init_inputs() -> list:
    return [in_features, out_features, bn_eps, bn_momentum, bias_shape, divide_value]
