# expect: incorrect
# problem: level1/39
# tricks: W03
# twin: ../twins/l2_norm.py
# about: Divides by the norm that usual inputs have.
import torch
from torch import nn


class ModelNew(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x / (x.shape[1] / 3) ** 0.5
