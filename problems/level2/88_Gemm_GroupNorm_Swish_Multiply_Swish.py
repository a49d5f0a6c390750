import torch
import torch.nn as nn


class Model(nn.Module):
    """Linear layer, group normalisation, Swish, a learned factor per feature, Swish.

    Swish is y * sigmoid(y). Each group holds out_features / num_groups
    neighbouring features. x has shape (batch_size, in_features), the result
    (batch_size, out_features).
    """

    def __init__(
        self,
        in_features: int,
        out_features: int,
        num_groups: int,
        multiply_weight_shape: tuple[int, ...],
    ) -> None:
        super().__init__()
        self.gemm = nn.Linear(in_features, out_features)
        self.group_norm = nn.GroupNorm(num_groups, out_features)
        self.multiply_weight = nn.Parameter(torch.randn(multiply_weight_shape))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = self.gemm(x)
        x = self.group_norm(x)
        x = x * torch.sigmoid(x)
        x = x * self.multiply_weight
        return x * torch.sigmoid(x)


batch_size = 1024
in_features = 8192
out_features = 8192
num_groups = 256
multiply_weight_shape = (out_features,)


def get_inputs() -> list[torch.Tensor]:
    return [torch.rand(batch_size, in_features)]


def get_init_inputs() -> list:
    return [in_features, out_features, num_groups, multiply_weight_shape]
