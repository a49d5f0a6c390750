# expect: incorrect
# problem: level1/19
# about: Only NaN, which a comparison "error > tolerance" would let pass.
import torch
import torch.nn as nn


class ModelNew(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.full_like(x, float("nan"))
