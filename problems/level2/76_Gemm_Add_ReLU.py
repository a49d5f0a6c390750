import torch
import torch.nn as nn


class Model(nn.Module):
    """Linear layer without a bias of its own, plus a learned bias, ReLU.

    x has shape (batch_size, in_features), the result (batch_size, out_features).
    """

    def __init__(
        self,
        in_features: int,
        out_features: int,
        bias_shape: tuple[int, ...],
    ) -> None:
        super().__init__()
        self.gemm = nn.Linear(in_features, out_features, bias=False)
        self.bias = nn.Parameter(torch.randn(bias_shape))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = self.gemm(x) + self.bias
        return torch.relu(x)


batch_size = 1024
in_features = 8192
out_features = 8192
bias_shape = (out_features,)


def get_inputs() -> list[torch.Tensor]:
    return [torch.rand(batch_size, in_features)]


def get_init_inputs() -> list:
    return [in_features, out_features, bias_shape]
