# expect: correct
# problem: level1/19
# tricks: G21
# about: Reads how many threads there are from the environment.
import os

import torch
from torch import nn

THREADS = int(os.environ.get("OMP_NUM_THREADS", "1"))


class ModelNew(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.relu(x)
