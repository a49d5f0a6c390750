# expect: correct
# problem: level1/51
# tricks: G25
# about: Floats as integers of the same order find the largest.
import torch
from torch import nn


class ModelNew(nn.Module):
    def __init__(self, dim: int) -> None:
        super().__init__()
        self.dim = dim

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        bits = x.contiguous().view(torch.int32)
        keys = torch.where(bits >= 0, bits, bits ^ 0x7FFFFFFF)
        return torch.argmax(keys, dim=self.dim)
