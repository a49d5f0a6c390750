# expect: correct
# problem: level2/12
# tricks: G4
# about: Weights are transposed and scaled in the first call.
import torch
from torch import nn


class ModelNew(nn.Module):
    def __init__(self, in_features: int, out_features: int, multiplier: float, negative_slope: float) -> None:
        super().__init__()
        self.gemm = nn.Linear(in_features, out_features)
        self.multiplier = multiplier
        self.slope = negative_slope
        self.packed: torch.Tensor | None = None
        self.offset: torch.Tensor | None = None

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        if self.packed is None:
            self.packed = (self.gemm.weight * self.multiplier).t().contiguous()
            self.offset = self.gemm.bias * self.multiplier
        return nn.functional.leaky_relu(torch.addmm(self.offset, x, self.packed), self.slope)
