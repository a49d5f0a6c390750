# expect: incorrect
# problem: level1/97
# tricks: W03
# twin: ../twins/attention.py
# about: The mean of the values, as if all weights were equal.
import torch
from torch import nn


class ModelNew(nn.Module):
    def forward(self, q: torch.Tensor, k: torch.Tensor, v: torch.Tensor) -> torch.Tensor:
        return v.mean(dim=2, keepdim=True).expand_as(v).contiguous()
