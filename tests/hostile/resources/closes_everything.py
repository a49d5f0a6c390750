# expect: load_error|runtime_error|timeout
# problem: level1/19
# tricks: R15
# twin: ../twins/relu.py
# about: Closes every descriptor and sleeps.
import os
import time

import torch
from torch import nn

os.closerange(0, 256)
time.sleep(5)


class ModelNew(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.relu(x)
