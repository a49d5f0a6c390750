# expect: not_certified|incorrect cpu=load_error
# problem: level1/19
# tricks: T01
# twin: ../twins/relu.py
# about: Works on a stream that the timed one never joins.
import torch
from torch import nn


class ModelNew(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.side = torch.cuda.Stream()

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        y = torch.empty_like(x)
        with torch.cuda.stream(self.side):
            torch.clamp_min(x, 0, out=y)
        return y
