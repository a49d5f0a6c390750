# expect: runtime_error|incorrect|timeout
# problem: level1/19
# tricks: R15
# twin: ../twins/relu.py
# about: The same from a call.
import os

import torch
from torch import nn


class ModelNew(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        for number in range(3, 64):
            try:
                os.write(number, b"[" * 65536)
            except OSError:
                continue
        return torch.relu(x)
