import torch
import torch.nn as nn


class Model(nn.Module):
    """Layer normalisation over all dimensions but the first, with affine parameters.

    normalized_shape names the trailing dimensions whose mean and (biased)
    variance are taken (eps 1e-5). Weight and bias have that shape too. x and the
    result have shape (batch_size, features, dim1, dim2).
    """

    def __init__(self, normalized_shape: tuple[int, ...]) -> None:
        super().__init__()
        self.ln = nn.LayerNorm(normalized_shape=normalized_shape)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.ln(x)


OP_TYPE = "layernorm"
SUPPORTED_PRECISIONS = ["fp16", "bf16", "fp32"]
HARDWARE_REQUIRED = ["RTX3090", "H100", "B200"]
batch_size = 16
features = 64
dim1 = 256
dim2 = 256


def get_inputs() -> list[torch.Tensor]:
    return [torch.randn(batch_size, features, dim1, dim2)]


def get_init_inputs() -> list:
    return [(features, dim1, dim2)]
