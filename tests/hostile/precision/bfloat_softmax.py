# expect: incorrect
# problem: level1/23
# tricks: P01
# twin: ../twins/softmax.py
# about: Softmax in bfloat16.
import torch
from torch import nn


class ModelNew(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.softmax(x.bfloat16(), dim=1).float()
