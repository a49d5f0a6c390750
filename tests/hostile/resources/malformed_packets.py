# expect: load_error|runtime_error|incorrect
# problem: level1/19
# tricks: R15
# twin: ../twins/relu.py
# about: Writes nonsense to every descriptor that it was given.
import os
import struct

import torch
from torch import nn

for number in range(3, 64):
    try:
        os.write(number, struct.pack("<Q", 1 << 63) + b"A" * 4096)
    except OSError:
        continue


class ModelNew(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.relu(x)
