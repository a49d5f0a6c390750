# expect: incorrect|correct
# problem: level1/19
# tricks: C01
# twin: ../twins/relu.py
# about: The same with the version that PyTorch counts.
import torch
from torch import nn


class ModelNew(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.kept: dict[tuple[int, int], torch.Tensor] = {}

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        key = (x.data_ptr(), x._version)
        if key not in self.kept:
            self.kept[key] = torch.relu(x)
        return self.kept[key]
