import torch
import torch.nn as nn


class Model(nn.Module):
    """Linear layer, Swish (x * sigmoid(x)), a learned bias, group normalisation.

    x has shape (batch_size, in_features), the result (batch_size, out_features).
    The features of a row form num_groups groups of neighbours; each group has
    its own mean and variance (eps 1e-5), each feature its own scale and offset.
    """

    def __init__(
        self,
        in_features: int,
        out_features: int,
        num_groups: int,
        bias_shape: tuple[int, ...],
    ) -> None:
        super().__init__()
        self.matmul = nn.Linear(in_features, out_features)
        self.bias = nn.Parameter(torch.randn(bias_shape))
        self.group_norm = nn.GroupNorm(num_groups, out_features)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = self.matmul(x)
        x = torch.sigmoid(x) * x
        x = x + self.bias
        return self.group_norm(x)


OP_TYPE = "fused"
SUPPORTED_PRECISIONS = ["fp16", "bf16", "fp32"]
HARDWARE_REQUIRED = ["RTX3090", "H100", "B200"]
batch_size = 128
in_features = 4096
out_features = 4096
num_groups = 32
bias_shape = (out_features,)


def get_inputs() -> list[torch.Tensor]:
    return [torch.randn(batch_size, in_features)]


def get_init_inputs() -> list:
    return [in_features, out_features, num_groups, bias_shape]
