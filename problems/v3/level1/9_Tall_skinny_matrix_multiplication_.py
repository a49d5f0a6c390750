import torch
import torch.nn as nn


class Model(nn.Module):
    """Product of a tall and a wide matrix with a short inner side: C = A @ B.

    A has shape (M, N), B has shape (N, M) and C has shape (M, M), with N much
    smaller than M: writing C dominates.
    """

    def forward(self, A: torch.Tensor, B: torch.Tensor) -> torch.Tensor:
        return torch.matmul(A, B)


OP_TYPE = "gemm"
SUPPORTED_PRECISIONS = ["fp4", "fp8", "fp16", "bf16", "fp32"]
HARDWARE_REQUIRED = ["RTX3090", "H100", "B200"]
M = 16384
N = 16


def get_inputs() -> list[torch.Tensor]:
    return [torch.randn(M, N), torch.randn(N, M)]


def get_init_inputs() -> list:
    return []
