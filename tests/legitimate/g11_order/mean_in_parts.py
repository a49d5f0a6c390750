# expect: correct
# problem: level1/94
# tricks: G11
# about: A mean of squares in sums of 4096, each of which adds one after the other.
import torch
from torch import nn

TERMS = 4096


class ModelNew(nn.Module):
    def forward(self, predictions: torch.Tensor, targets: torch.Tensor) -> torch.Tensor:
        squares = (predictions - targets).square().flatten()
        sums = squares.new_zeros(len(squares) // TERMS)
        for some in squares.split(len(sums)):
            sums[: len(some)] += some
        return sums.sum() / len(squares)
