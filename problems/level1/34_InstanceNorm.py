import torch
import torch.nn as nn


class Model(nn.Module):
    """Instance normalisation: every channel of every sample over height and width.

    y = (x - mean) / sqrt(var + eps), with the biased variance and no learned scale
    or shift. x and y have shape (batch_size, num_features, dim1, dim2).
    """

    def __init__(self, num_features: int) -> None:
        super().__init__()
        self.inorm = nn.InstanceNorm2d(num_features=num_features)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.inorm(x)


batch_size = 112
features = 64
dim1 = 512
dim2 = 512


def get_inputs() -> list[torch.Tensor]:
    return [torch.rand(batch_size, features, dim1, dim2)]


def get_init_inputs() -> list:
    return [features]
