import torch
import torch.nn as nn


class Model(nn.Module):
    """One matrix product per batch entry: C[i] = A[i] @ B[i].

    A has shape (batch_size, m, k), B has shape (batch_size, k, n) and C has
    shape (batch_size, m, n).
    """

    def forward(self, A: torch.Tensor, B: torch.Tensor) -> torch.Tensor:
        return torch.bmm(A, B)


OP_TYPE = "gemm"
SUPPORTED_PRECISIONS = ["fp4", "fp8", "fp16", "bf16", "fp32"]
HARDWARE_REQUIRED = ["RTX3090", "H100", "B200"]
batch_size = 128
m = 128
k = 256
n = 512


def get_inputs() -> list[torch.Tensor]:
    return [torch.randn(batch_size, m, k), torch.randn(batch_size, k, n)]


def get_init_inputs() -> list:
    return []
