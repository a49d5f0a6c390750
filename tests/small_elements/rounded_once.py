# level2/33 with all of it in float32 and one rounding at the end, as a fused kernel does.
import torch
from torch import nn
from torch.nn import functional


class ModelNew(nn.Module):
    def __init__(self, inputs: int, outputs: int, shape: tuple[int, ...]) -> None:
        super().__init__()
        self.gemm = nn.Linear(inputs, outputs)
        self.scale = nn.Parameter(torch.randn(shape))
        self.bn = nn.BatchNorm1d(outputs)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        gemm, norm = self.gemm, self.bn
        y = functional.linear(x.float(), gemm.weight.float(), gemm.bias.float())
        y = y * self.scale.float()
        y = y - y.mean(0)
        y = y * torch.rsqrt(y.square().mean(0) + norm.eps)
        return (y * norm.weight.float() + norm.bias.float()).to(x.dtype)
