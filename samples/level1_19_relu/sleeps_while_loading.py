# expect: timeout
# problem: level1/19
# about: Says nothing from its first line on, until its life is over: that is no failure of ours.
# limits: wall_seconds=5, load_seconds=100
import time

import torch
import torch.nn as nn

time.sleep(10**6)


class ModelNew(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.relu(x)
