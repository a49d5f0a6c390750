# expect: correct
# problem: level1/19
# tricks: G8
# about: Another way for each of the shapes that are known.
import torch
from torch import nn


class ModelNew(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.register_buffer("zero", torch.zeros(()), persistent=False)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        if x.shape == (61, 65537):
            return torch.maximum(x, self.zero)
        return torch.relu(x)
