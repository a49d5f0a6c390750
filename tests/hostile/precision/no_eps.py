# expect: correct|incorrect
# problem: level1/33
# tricks: P08
# twin: ../twins/batch_norm.py
# about: Leaves out the small number below the root.
import torch
from torch import nn


class ModelNew(nn.Module):
    def __init__(self, num_features: int) -> None:
        super().__init__()

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        mean = x.mean(dim=(0, 2, 3), keepdim=True)
        variance = x.var(dim=(0, 2, 3), keepdim=True, unbiased=False)
        return (x - mean) / variance.sqrt()
