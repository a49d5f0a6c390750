# expect: incorrect|not_certified|correct
# problem: level1/19
# tricks: L05
# twin: ../twins/relu.py
# about: Works when the output itself is let go.
import weakref

import torch
from torch import nn


class ModelNew(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        y = torch.empty_like(x)
        kept = y.detach()
        weakref.finalize(y, torch.clamp_min, x, 0, out=kept)
        return y
