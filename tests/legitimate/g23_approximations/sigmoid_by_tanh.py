# expect: correct
# problem: level1/21
# tricks: G23
# about: The sigmoid by the hyperbolic tangent.
import torch
from torch import nn


class ModelNew(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return 0.5 * torch.tanh(0.5 * x) + 0.5
