import torch
import torch.nn as nn


class Model(nn.Module):
    """Sum over one dimension, which stays in the result with extent 1.

    x has shape (batch_size, dim1, dim2); with dim = 1 the result has shape
    (batch_size, 1, dim2).
    """

    def __init__(self, dim: int) -> None:
        super().__init__()
        self.dim = dim

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.sum(x, dim=self.dim, keepdim=True)


OP_TYPE = "reduction"
SUPPORTED_PRECISIONS = ["fp16", "bf16", "fp32"]
HARDWARE_REQUIRED = ["RTX3090", "H100", "B200"]
batch_size = 64
dim1 = 256
dim2 = 256
reduce_dim = 1


def get_inputs() -> list[torch.Tensor]:
    return [torch.randn(batch_size, dim1, dim2)]


def get_init_inputs() -> list:
    return [reduce_dim]
