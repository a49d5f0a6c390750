# expect: correct
# problem: level1/94
# tricks: G11
# about: A mean of millions of squares in 1024 sums, each of which adds one after the other.
import torch
from torch import nn

PARTS = 1024


class ModelNew(nn.Module):
    def forward(self, predictions: torch.Tensor, targets: torch.Tensor) -> torch.Tensor:
        squares = (predictions - targets).square().flatten()
        sums = squares.new_zeros(PARTS)
        for some in squares.split(PARTS):
            sums[: len(some)] += some
        return sums.sum() / len(squares)
