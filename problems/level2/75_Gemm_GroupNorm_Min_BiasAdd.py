import torch
import torch.nn as nn


class Model(nn.Module):
    """Linear layer, group normalisation of the features, minimum of each row, learned bias.

    The minimum has shape (batch_size, 1) and the bias (1, out_features, 1, 1), so
    that the sum is an outer one: x has shape (batch_size, in_features), the
    result (1, out_features, batch_size, 1), with element [0, j, i, 0] equal to
    the minimum of row i plus bias j.
    """

    def __init__(
        self,
        in_features: int,
        out_features: int,
        num_groups: int,
        bias_shape: tuple[int, ...],
    ) -> None:
        super().__init__()
        self.gemm = nn.Linear(in_features, out_features)
        self.group_norm = nn.GroupNorm(num_groups, out_features)
        self.bias = nn.Parameter(torch.randn(bias_shape))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = self.gemm(x)
        x = self.group_norm(x)
        lowest = torch.min(x, dim=1, keepdim=True)[0]
        return lowest + self.bias


batch_size = 1024
in_features = 8192
out_features = 8192
num_groups = 512
bias_shape = (1, out_features, 1, 1)


def get_inputs() -> list[torch.Tensor]:
    return [torch.rand(batch_size, in_features)]


def get_init_inputs() -> list:
    return [in_features, out_features, num_groups, bias_shape]
