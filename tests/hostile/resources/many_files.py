# expect: correct|load_error|runtime_error|timeout
# problem: level1/19
# tricks: R08
# twin: ../twins/relu.py
# about: Makes as many files as it is let.
import contextlib

import torch
from torch import nn

with contextlib.suppress(OSError):
    for i in range(200000):
        open(f"/tmp/{i}", "w").close()


class ModelNew(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.relu(x)
