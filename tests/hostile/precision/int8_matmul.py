# expect: incorrect
# problem: level1/1
# tricks: P03
# twin: ../twins/matmul.py
# about: Operands as integers of eight bits, with a scale that fits [0, 1).
import torch
from torch import nn


class ModelNew(nn.Module):
    def forward(self, a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
        qa = (a * 127).round().clamp(-128, 127)
        qb = (b * 127).round().clamp(-128, 127)
        return qa @ qb / 127**2
