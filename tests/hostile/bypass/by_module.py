# expect: rejected
# problem: level1/23
# tricks: B10
# twin: ../twins/softmax.py
# policy: own-kernels
# about: The operator in a module of a container.
import torch
from torch import nn


class ModelNew(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.layers = nn.Sequential(nn.Softmax(dim=1))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.layers(x)
