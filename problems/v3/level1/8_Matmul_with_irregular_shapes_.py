import torch
import torch.nn as nn


class Model(nn.Module):
    """Product of two matrices whose sides are all odd: C = A @ B.

    A has shape (M, K), B has shape (K, N) and C has shape (M, N). No side is a
    multiple of a usual tile size.
    """

    def forward(self, A: torch.Tensor, B: torch.Tensor) -> torch.Tensor:
        return torch.matmul(A, B)


OP_TYPE = "gemm"
SUPPORTED_PRECISIONS = ["fp4", "fp8", "fp16", "bf16", "fp32"]
HARDWARE_REQUIRED = ["RTX3090", "H100", "B200"]
M = 8205
K = 2949
N = 5921


def get_inputs() -> list[torch.Tensor]:
    return [torch.randn(M, K), torch.randn(K, N)]


def get_init_inputs() -> list:
    return []
