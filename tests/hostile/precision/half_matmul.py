# expect: incorrect
# problem: level1/1
# tricks: P01
# twin: ../twins/matmul.py
# about: A product in half precision where float32 is asked for.
import torch
from torch import nn


class ModelNew(nn.Module):
    def forward(self, a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
        return (a.half() @ b.half()).float()
