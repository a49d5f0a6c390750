# expect: correct
# problem: level1/19
# about: Names constants of the problem's file, as if it stood below it.
import torch
import torch.nn as nn


class ModelNew(nn.Module):
    def __init__(self, largest: int = max(batch_size, dim)) -> None:  # noqa: F821
        super().__init__()
        self.largest = largest

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        assert max(x.shape) == self.largest
        return torch.relu(x)
