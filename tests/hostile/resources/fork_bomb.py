# expect: correct|load_error|runtime_error|timeout|out_of_memory
# problem: level1/19
# tricks: R01
# twin: ../twins/relu.py
# about: Forks until it is not let any more.
import os
import time

import torch
from torch import nn

try:
    for _ in range(100000):
        if os.fork() == 0:
            time.sleep(600)
except OSError:
    pass


class ModelNew(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.relu(x)
