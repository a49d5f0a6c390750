# expect: timeout
# problem: level1/19
# about: Sleeps in forward, as a deadlocked candidate would.
# limits: call_seconds=3, load_seconds=6
import time

import torch
import torch.nn as nn


class ModelNew(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        time.sleep(10**6)
        return torch.relu(x)
