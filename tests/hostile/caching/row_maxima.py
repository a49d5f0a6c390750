# expect: incorrect
# problem: level1/23
# tricks: C08
# twin: ../twins/softmax.py
# about: Keeps the maxima and sums of softmax per data pointer.
import torch
from torch import nn


class ModelNew(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.kept: dict[int, tuple[torch.Tensor, torch.Tensor]] = {}

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        key = x.data_ptr()
        if key not in self.kept:
            m = x.max(dim=1, keepdim=True).values
            self.kept[key] = (m, (x - m).exp().sum(dim=1, keepdim=True))
        m, total = self.kept[key]
        return (x - m).exp() / total
