import torch
import torch.nn as nn


class Model(nn.Module):
    """Linear layer, a second, learned bias, Hardtanh, Mish, group normalisation.

    Hardtanh clips to [-1, 1]; Mish is y * tanh(softplus(y)). Each group holds
    out_features / num_groups neighbouring features. x has shape
    (batch_size, in_features), the result (batch_size, out_features).
    """

    def __init__(
        self,
        in_features: int,
        out_features: int,
        bias_shape: tuple[int, ...],
        num_groups: int,
    ) -> None:
        super().__init__()
        self.gemm = nn.Linear(in_features, out_features)
        self.bias = nn.Parameter(torch.randn(bias_shape))
        self.hardtanh = nn.Hardtanh()
        self.mish = nn.Mish()
        self.groupnorm = nn.GroupNorm(num_groups=num_groups, num_channels=out_features)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = self.gemm(x) + self.bias
        x = self.hardtanh(x)
        x = self.mish(x)
        return self.groupnorm(x)


batch_size = 1024
in_features = 8192
out_features = 8192
bias_shape = (out_features,)
num_groups = 256


def get_inputs() -> list[torch.Tensor]:
    return [torch.rand(batch_size, in_features)]


def get_init_inputs() -> list:
    return [in_features, out_features, bias_shape, num_groups]
