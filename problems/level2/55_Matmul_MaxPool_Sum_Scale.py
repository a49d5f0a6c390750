import torch
import torch.nn as nn


class Model(nn.Module):
    """Linear layer, max pooling along the features, sum of each row, scaling.

    The pooling windows of kernel_size neighbouring features do not overlap. x
    has shape (batch_size, in_features), the result (batch_size,).
    """

    def __init__(
        self,
        in_features: int,
        out_features: int,
        kernel_size: int,
        scale_factor: float,
    ) -> None:
        super().__init__()
        self.matmul = nn.Linear(in_features, out_features)
        self.max_pool = nn.MaxPool1d(kernel_size)
        self.scale_factor = scale_factor

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = self.matmul(x)
        x = self.max_pool(x.unsqueeze(1)).squeeze(1)
        return x.sum(dim=1) * self.scale_factor


batch_size = 128
in_features = 32768
out_features = 32768
kernel_size = 2
scale_factor = 0.5


def get_inputs() -> list[torch.Tensor]:
    return [torch.rand(batch_size, in_features)]


def get_init_inputs() -> list:
    return [in_features, out_features, kernel_size, scale_factor]
