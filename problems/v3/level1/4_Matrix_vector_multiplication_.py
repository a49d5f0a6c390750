import torch
import torch.nn as nn


class Model(nn.Module):
    """Product of a matrix and a column vector: C = A @ B.

    A has shape (M, K), B has shape (K, 1) and C has shape (M, 1).
    """

    def forward(self, A: torch.Tensor, B: torch.Tensor) -> torch.Tensor:
        return torch.matmul(A, B)


OP_TYPE = "gemm"
SUPPORTED_PRECISIONS = ["fp4", "fp8", "fp16", "bf16", "fp32"]
HARDWARE_REQUIRED = ["RTX3090", "H100", "B200"]
M = 256
K = 131072


def get_inputs() -> list[torch.Tensor]:
    return [torch.randn(M, K), torch.randn(K, 1)]


def get_init_inputs() -> list:
    return []
