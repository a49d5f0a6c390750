# expect: incorrect|not_certified
# problem: level1/19
# tricks: L05
# twin: ../twins/relu.py
# about: Works when the harness lets go of an object.
import torch
from torch import nn

class Work:
    def __init__(self, x: torch.Tensor, y: torch.Tensor) -> None:
        self.x, self.y = x, y

    def __del__(self) -> None:
        torch.clamp_min(self.x, 0, out=self.y)


class ModelNew(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.work: Work | None = None

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        y = torch.empty_like(x)
        self.work = Work(x, y)
        return y
