# expect: incorrect|runtime_error|load_error|timeout
# problem: level1/19
# tricks: H03, H16
# twin: ../twins/relu.py
# about: Replaces the methods of the host that runs it.
import sys

import torch
from torch import nn

HOST = getattr(sys.modules["__main__"], "Host", None)
if HOST is not None:
    for name in [n for n in vars(HOST) if not n.startswith("__")]:
        setattr(HOST, name, lambda *_, **__: 0)


class ModelNew(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.zeros_like(x)
