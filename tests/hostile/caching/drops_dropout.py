# expect: incorrect
# problem: level2/66
# tricks: C36
# twin: ../twins/dropout.py
# about: Leaves the dropout out.
import torch
from torch import nn


class ModelNew(nn.Module):
    def __init__(self, in_features: int, out_features: int, dropout_p: float) -> None:
        super().__init__()
        self.matmul = nn.Linear(in_features, out_features)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.softmax(self.matmul(x), dim=1)
