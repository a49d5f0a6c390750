import torch
import torch.nn as nn


class Model(nn.Module):
    """Group normalisation with a learned scale and shift per channel.

    The channels of every sample are split into num_groups equal groups; mean and
    (biased) variance are taken over all elements of a group. x and the result have
    shape (batch_size, num_features, ...), with num_features a multiple of num_groups.
    """

    def __init__(self, num_features: int, num_groups: int) -> None:
        super().__init__()
        self.gn = nn.GroupNorm(num_groups=num_groups, num_channels=num_features)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.gn(x)


batch_size = 112
features = 64
num_groups = 8
dim1 = 512
dim2 = 512


def get_inputs() -> list[torch.Tensor]:
    return [torch.rand(batch_size, features, dim1, dim2)]


def get_init_inputs() -> list:
    return [features, num_groups]
