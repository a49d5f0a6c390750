# expect: correct
# problem: level1/39
# tricks: G17
# about: One call where the reference makes several.
import torch
from torch import nn


class ModelNew(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return nn.functional.normalize(x, dim=1, eps=0.0)
